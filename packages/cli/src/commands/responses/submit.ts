import { defineCommand } from '../../command.ts'
import { usage } from '../../failure.ts'
import { count } from '../../input/parse.ts'
import { FORM } from '../../pickers/arguments.ts'

/** Limit of `--count`. */
const MAX_COUNT = 10_000

/** `formwire responses submit FORM` */
export const responsesSubmit = defineCommand({
  path: ['responses', 'submit'],
  summary: 'submit a response to a form of a reference server',
  description:
    'Submits a response through the public link of a form on a reference server, so that its webhooks are sent. The ' +
    'answers are generated, without files, or read with --data: {"answers": [{"question_id", "value"}], "email"}, or an object with one ' +
    'value per question id. When piped, prints tab-separated: id, status.',
  arguments: [FORM],
  options: [
    { name: 'data', value: 'file', description: 'JSON file with the answers; - reads stdin' },
    { name: 'email', value: 'address', description: 'email of the respondent' },
    {
      name: 'count',
      value: 'n',
      description: 'number of responses (default: 1); with --json, more than one are printed as NDJSON',
      default: 1,
      defaultText: '',
      parse: (text: string, option: string) => {
        const number = count(text, option)
        if (number <= MAX_COUNT) return number
        throw usage(`--count must be at most ${MAX_COUNT}, got "${text}"`)
      },
    },
  ],
  examples: [
    ['formwire responses submit guestvoice01', 'submit generated answers'],
    [
      'echo \'{"name": "Ada", "stars": 5}\' | formwire responses submit FORM --data -',
      'submit these answers',
    ],
  ],
  exits: [1, 3, 4, 5, 6],
  fields: ['id', 'status'],
  task: ([form]) => `submit a response to form ${form}`,
  async run(context, [formId], { data, email, count = 1 }) {
    const { output } = context
    const { readSubmission, submitted } = await import('../../submit/public-link.ts')
    const given = data === undefined ? undefined : await readSubmission(context.runtime, data)
    const form = await (await context.client()).forms.get(formId)
    for await (const response of submitted(context, form, { given, email, count })) {
      const { id, status } = response
      const line = output.isTerminal ? `response ${id} of form ${formId}: ${status}` : `${id}\t${status}`
      if (!output.json) await output.line(line)
      else await (count === 1 ? output.document(response) : output.record(response))
    }
  },
})
