import { FORM_STATUSES, type Form } from '@formwire/contract'
import type { Tone } from '@formwire/internal/status-tone'
import { FORM_FIELDS, formColumns, formFields } from '../columns/forms.ts'
import { type Command, defineCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'
import { listOptions, showList } from '../lists/list.ts'
import { FORM } from '../pickers/arguments.ts'

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
  examples: {
    'formwire forms list --status published': 'list the 25 most recently updated published forms',
    'formwire forms list --all --format csv > forms.csv': 'write all forms to a CSV file',
    'formwire forms list --json=id,title': 'print only id and title, as JSON',
    'formwire forms list --all --json | jq -r ".[].id"': 'print the id of every form',
  },
  exits: [1, 4, 5, 6],
  fields: FORM_FIELDS,
  task: () => 'list the forms',
  async run(context, _args, options) {
    const client = await context.client()
    const { status } = options
    const columns = formColumns(context.now)
    const view = { nouns: ['form', 'forms'], columns, fields: FORM_FIELDS } as const
    await showList(context, (page) => client.forms.list({ ...page, status }), view, options)
  },
})

/** `formwire forms get FORM` */
export const formsGet = defineCommand({
  path: ['forms', 'get'],
  summary: 'show one form',
  description: 'When piped, prints a line for each field: name, tab, value.',
  arguments: [FORM],
  examples: {
    'formwire forms get guestvoice01': 'show status, public link, counts and dates',
    'formwire forms get guestvoice01 --json | jq -r .url': 'print its public link',
  },
  exits: [1, 3, 4, 5, 6],
  fields: FORM_FIELDS,
  task: ([form]) => `show form ${form}`,
  async run(context, [form]) {
    const client = await context.client()
    await context.output.item(await client.forms.get(form), formFields(context.now))
  },
})

/** `formwire forms close FORM` */
export const formsClose = changeOf(
  'close',
  'closed',
  'close a published form',
  'The public link stops accepting responses immediately.',
  ['closed', 'close the form', 'its public link no longer accepts responses'],
)

/** `formwire forms reopen FORM` */
export const formsReopen = changeOf(
  'reopen',
  'published',
  'reopen a closed form',
  'The public link accepts responses again, within its dates and limit.',
  ['reopened', 'publish the form again', 'its public link accepts responses again'],
)

/** A form that has the status already is not changed. */
function changeOf(
  change: 'close' | 'reopen',
  status: 'closed' | 'published',
  summary: string,
  description: string,
  [done, example, effect]: readonly [done: string, example: string, effect: string],
): Command {
  return defineCommand({
    path: ['forms', change],
    summary,
    description: `${description} Requires a write key. When piped, prints the form as forms get does.`,
    arguments: [FORM],
    examples: { [`formwire forms ${change} guestvoice01`]: example },
    exits: [1, 3, 4, 5, 6],
    fields: FORM_FIELDS,
    task: ([form]) => `${change} form ${form}`,
    async run(context, [id]) {
      const { forms } = await context.client()
      const before = await forms.get(id)
      if (before.status === status) {
        const note = `"${before.title}" (${before.id}) is already ${status}; nothing was changed`
        return await showChangedForm(context, before, note, 'calm')
      }
      const form = await forms[change](id)
      await showChangedForm(context, form, `${done} "${form.title}" (${form.id}); ${effect}`)
    },
  })
}

/** Reports a form that was changed, or that is already as asked: a note on stderr, and the form itself on a pipe and with `--json`. */
async function showChangedForm(
  context: Context,
  form: Form,
  note: string,
  tone: Tone = 'good',
): Promise<void> {
  const { output } = context
  if (output.json || !output.isTerminal) await output.item(form, formFields(context.now))
  output.note(note, tone)
}

/** `formwire forms rename FORM TITLE` */
export const formsRename = defineCommand({
  path: ['forms', 'rename'],
  summary: 'change the dashboard title of a form',
  description:
    'Respondents still see the title that was last published in the builder. A title has 1 to ' +
    '200 characters. Requires a write key. When piped, prints the form as forms get does.',
  arguments: [FORM, { name: '<title>', description: 'the new title' }],
  examples: { 'formwire forms rename guestvoice01 "Customer survey 2027"': 'change the title' },
  exits: [1, 3, 4, 5, 6],
  fields: FORM_FIELDS,
  task: ([form]) => `rename form ${form}`,
  async run(context, [id, title]) {
    if (title === '') throw usage('the title must not be empty', 'a title has 1 to 200 characters')
    const form = await (await context.client()).forms.rename(id, title)
    await showChangedForm(context, form, `renamed ${form.id} to "${form.title}"`)
  },
})
