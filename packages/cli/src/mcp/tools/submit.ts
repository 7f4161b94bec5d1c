import type { BuilderForm, Delivery } from '@formwire/contract/control'
import * as z from 'zod'
import { Failure } from '../../failure.ts'
import { countOf } from '../../output/progress.ts'
import { invalidArgument, suggestion, toolFailure } from '../failures.ts'
import type { Session } from '../session.ts'
import { defineTool, FORM, nextTurn } from '../tool.ts'

/** Responses of one call. */
const MAX_COUNT = 200

/** A value as the service stores it: which of them, the type of the question decides. */
const VALUE = z
  .union([z.string(), z.number(), z.looseObject({}), z.array(z.unknown()), z.null()])
  .describe('such as "text", 5, {ids: ["a"], other: null}, {row: column}')

export const submit = defineTool({
  name: 'submit',
  group: 'local',
  description:
    'Submit responses to a form of the local server, which sends its webhooks, with these or with generated answers; returns the ids of the deliveries. Also saves and submits drafts, and deletes a response.',
  input: z.strictObject({
    action: z.enum(['submit', 'save_draft', 'submit_draft', 'delete']).default('submit'),
    form: FORM,
    answers: z
      .array(z.strictObject({ question_id: z.string().max(200), value: VALUE }))
      .max(1000)
      .optional()
      .describe('default generated'),
    count: z.int().min(1).max(MAX_COUNT).optional().describe('how many, default 1'),
    token: z.string().max(200).optional().describe('of the draft to submit'),
    response: z.int().min(1).optional().describe('id of the response to delete'),
  }),
  takenBy: {
    answers: ['submit', 'save_draft'],
    count: ['submit', 'save_draft'],
    token: ['submit_draft'],
    response: ['delete'],
  },
  requires: ['response'],
  async run(session, { action, form: id, answers, count = 1, token, response }, { mcpReq: { signal } }) {
    const { local } = session
    const path = `/forms/${encodeURIComponent(id)}`
    if (action === 'delete') {
      return await local.call('DELETE', `${path}/responses/${response}`)
    }
    if (action === 'submit_draft' && token === undefined)
      throw invalidArgument('token', 'submit_draft requires it: save_draft returned it')
    const form = await local.call<BuilderForm>('GET', path)
    const link = new URL(form.url).pathname
    if (token !== undefined)
      return await submitted(await local.respond(`${link}/drafts/${encodeURIComponent(token)}/submit`))
    for (const { question_id } of answers ?? []) requireQuestion(form, question_id)
    const responses: unknown[] = []
    for (let made = 0; made < count; made += 1) {
      const body = { answers: answers ?? (await sampleAnswers(session, form)) }
      const path = action === 'submit' ? link : `${link}/drafts`
      const saved = await nextTurn(signal)
        .then(() => local.respond(path, body))
        .catch((error: unknown) => {
          throw made === 0 ? error : incomplete(error, responses, count)
        })
      responses.push(action === 'submit' ? await submitted(saved) : saved)
    }
    return { responses }

    /** Returns a submitted response with the ids of its deliveries. */
    async function submitted(response: unknown) {
      const { id } = response as { id: number }
      const queued = await local.call<Delivery[]>('GET', `${path}/responses/${id}/deliveries`)
      return { ...(response as object), deliveries: queued.map((delivery) => delivery.id) }
    }
  },
})

/** Returns the error of one response, with those before it: they stay. */
function incomplete(error: unknown, responses: readonly unknown[], count: number): unknown {
  if (!(error instanceof Failure)) return error
  const message = `${error.message} (after ${responses.length} of ${countOf(count, 'response')})`
  const { code, status, details } = error
  return toolFailure(code, message, undefined, { status, details: { ...details, responses } })
}

/** The public link ignores answers to other questions. @throws Failure `invalid_argument` for one, such as a misspelt id */
function requireQuestion({ questions }: BuilderForm, id: string): void {
  const known = questions.map((question) => question.id)
  if (known.includes(id)) return
  throw invalidArgument(
    'answers',
    `the form has no question "${id}"`,
    suggestion(id, known, 'tool form, action get, lists them'),
  )
}

/** Generates answers that the form accepts. Questions for files are skipped. */
async function sampleAnswers({ local }: Session, { questions }: BuilderForm) {
  const asked = questions.filter(({ type }) => type !== 'file' && type !== 'signature')
  const factory = await local.samples()
  return (factory.response(asked as unknown as Parameters<typeof factory.response>[0]).answers ?? []).map(
    ({ question_id, value }) => ({ question_id, value }),
  )
}
