import { defineCommand } from '../../command.ts'
import { usage } from '../../failure.ts'
import { countOption, required } from '../../input/parse.ts'
import { FORM } from '../../pickers/arguments.ts'

interface SubmitOptions {
  data?: string
  email?: string
  count?: number
}

/** Limit of `--count`. */
const MAX_COUNT = 10_000

/** `formwire responses submit FORM` */
export const responsesSubmit = defineCommand<SubmitOptions>({
  path: ['responses', 'submit'],
  summary: 'submit a response to a form of a reference server',
  description:
    'Submits a response through the public link of a form on a reference server, so that its webhooks are sent. The ' +
    'answers are generated, or read with --data: {"answers": [{"question_id", "value"}], "email"}, or an object with one ' +
    'value per question id. When piped, prints tab-separated: id, status.',
  arguments: [FORM],
  options: [
    { flags: '--data <file>', description: 'JSON file with the answers; - reads stdin' },
    { flags: '--email <address>', description: 'email of the respondent' },
    {
      flags: '--count <n>',
      description: 'number of responses (default: 1); with --json, more than one are printed as NDJSON',
      parse: (text) => {
        const count = countOption('--count')(text)
        if (count <= MAX_COUNT) return count
        throw usage(`--count must be at most ${MAX_COUNT}, got "${text}"`)
      },
    },
  ],
  examples: [
    ['formwire responses submit 8hTq2LmVx4Rb', 'submit generated answers'],
    [
      'echo \'{"name": "Ada", "stars": 5}\' | formwire responses submit FORM --data -',
      'submit these answers',
    ],
  ],
  exits: [1, 3, 4, 5, 6],
  fields: ['id', 'status'],
  task: ([form]) => `submit a response to form ${form}`,
  async run(context, [argument], options) {
    const { output } = context
    const formId = required(argument)
    const { readSubmission } = await import('../../submit/submission.ts')
    const given = options.data === undefined ? undefined : await readSubmission(context.runtime, options.data)
    const client = await context.client()
    const form = await client.forms.get(formId)
    const { PublicForm } = await import('../../submit/public-form.ts')
    const publicForm = await PublicForm.open(context, form)
    const { AnswerGenerator } = await import('../../submit/answer-generator.ts')
    if (given) publicForm.checkQuestions(given)
    const generator = given ? undefined : await AnswerGenerator.create(publicForm)
    const count = options.count ?? 1
    for (let number = 0; number < count; number += 1) {
      const submission = given ?? { answers: (await generator?.answers()) ?? [] }
      const submitted = await publicForm.submit(
        options.email === undefined ? submission : { ...submission, email: options.email },
      )
      if (!output.json)
        await output.line(
          output.isTerminal
            ? `response ${submitted.id} of form ${formId}: ${submitted.status}`
            : `${submitted.id}\t${submitted.status}`,
        )
      else if (count === 1) await output.document(submitted)
      else await output.record(submitted)
    }
  },
})
