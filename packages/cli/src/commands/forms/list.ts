import { FORM_STATUSES } from '@formwire/contract'
import { FORM_FIELDS, formColumns } from '../../columns/forms.ts'
import { defineCommand } from '../../command.ts'
import { listOptions } from '../../lists/list-options.ts'
import { showList } from '../../lists/show.ts'

/** `formwire forms list` */
export const formsList = defineCommand({
  path: ['forms', 'list'],
  summary: 'list the forms of the workspace',
  description:
    'Most recently updated first. When piped, prints tab-separated: id, title, status, response count, time of the last update.',
  options: [
    {
      name: 'status',
      value: 'status',
      description: `only forms with this status: ${FORM_STATUSES.join(', ')}`,
      choices: FORM_STATUSES,
    },
    ...listOptions('forms'),
  ],
  examples: [
    ['formwire forms list --status published', 'list the 25 most recently updated published forms'],
    ['formwire forms list --all --format csv > forms.csv', 'write all forms to a CSV file'],
    ['formwire forms list --json=id,title', 'print only id and title, as JSON'],
    ['formwire forms list --all --json | jq -r ".[].id"', 'print the id of every form'],
  ],
  exits: [1, 4, 5, 6],
  fields: FORM_FIELDS,
  task: () => 'list the forms',
  async run(context, _args, options) {
    const client = await context.client()
    const query = options.status === undefined ? {} : { status: options.status }
    const columns = formColumns(context.now)
    const view = { nouns: ['form', 'forms'], columns, fields: FORM_FIELDS } as const
    await showList(context, (page) => client.forms.list({ ...page, ...query }), view, options)
  },
})
