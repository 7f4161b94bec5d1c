import { FORM_STATUSES, type KnownFormStatus } from '@formwire/contract'
import { FORM_FIELDS, formColumns } from '../../columns/forms.ts'
import { defineCommand } from '../../command.ts'
import { choiceOption } from '../../input/parse.ts'
import { type ListOptions, listOptions } from '../../lists/list-options.ts'
import { firstPage, showList } from '../../lists/show.ts'

/** `formwire forms list` */
export const formsList = defineCommand<ListOptions & { status?: KnownFormStatus }>({
  path: ['forms', 'list'],
  summary: 'list the forms of the workspace',
  description:
    'Most recently updated first. When piped, prints tab-separated: id, title, status, response count, time of the last update.',
  options: [
    {
      flags: '--status <status>',
      description: `only forms with this status: ${FORM_STATUSES.join(', ')}`,
      parse: choiceOption('--status', FORM_STATUSES),
    },
    ...listOptions('forms', FORM_FIELDS),
  ],
  examples: [
    ['formwire forms list --status published', 'list the 25 most recently updated published forms'],
    ['formwire forms list --all --format csv > forms.csv', 'write all forms to a CSV file'],
    ['formwire forms list --json id,title', 'print only id and title, as JSON'],
    ['formwire forms list --all --json | jq -r ".[].id"', 'print the id of every form'],
  ],
  exits: [1, 4, 5, 6],
  fields: FORM_FIELDS,
  task: () => 'list the forms',
  async run(context, _args, options) {
    const client = await context.client()
    const query = {
      ...firstPage(options),
      ...(options.status === undefined ? {} : { status: options.status }),
    }
    const columns = formColumns(context.now)
    const view = { nouns: ['form', 'forms'], columns, fields: FORM_FIELDS } as const
    await showList(context, () => client.forms.list(query), view, options)
  },
})
