import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  Formwire,
  type FormwireOptions,
  SchemaDriftError,
  UsageError,
  type ValidateMode,
} from '../src/index.ts'
import { fakeTransport, loggerOf } from './support/fake-transport.ts'
import { errorOf } from './support/raw-server.ts'

const response = {
  id: 5,
  form_id: 'abcdefghijkl',
  status: 'submitted',
  started_at: '2026-11-21T09:00:00Z',
  submitted_at: '2026-11-21T09:00:10.000001+00:00',
  duration_sec: 10,
  email: null,
  score: null,
  max_score: null,
  answers: [{ question_id: 'q1', title: 'How?', type: 'rating', value: 4, text: '4' }],
  meta: {},
}
const list = (item: object) => ({
  body: { data: [response, item], meta: { page: 1, per_page: 25, total: 2 } },
})

function client(
  validate: ValidateMode,
  step: Parameters<typeof fakeTransport>[0],
  log: (message: string) => void = () => {},
  more: FormwireOptions = {},
): Formwire {
  const logger = loggerOf({ warn: log })
  return new Formwire({ apiKey: 'svc_k', transport: fakeTransport(step), validate, logger, ...more })
}

const driftOf = async (formwire: Formwire) =>
  (await errorOf(formwire.responses.list('abcdefghijkl'))) as SchemaDriftError

describe('validate', () => {
  const drifted = { ...response, answers: [{ ...response.answers[0], value: 'four' }], duration_sec: -1 }

  it('throws the drift with its path but without the value, with "throw"', async () => {
    const error = await driftOf(client('throw', list(drifted)))
    expect(error).toBeInstanceOf(SchemaDriftError)
    expect(error.drift.map(({ path }) => path)).toEqual(['data[1].duration_sec', 'data[1].answers[0].value'])
    expect(error.message).toContain('GET /forms/abcdefghijkl/responses')
    expect(JSON.stringify(error)).not.toContain('four')
  })

  it('logs the drift and returns the data unchanged, with "warn"', async () => {
    const lines: string[] = []
    const page = await client('warn', list(drifted), (line) => lines.push(line)).responses.list(
      'abcdefghijkl',
    )
    expect(page.data[1]).toEqual(drifted)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('data[1].answers[0].value')
  })

  it('accepts everything, with "off"', async () => {
    const page = await client('off', list(drifted)).responses.list('abcdefghijkl')
    expect(page.data[1]).toEqual(drifted)
  })

  it('validates single objects and deletions, and accepts an empty deletion', async () => {
    await expect(client('throw', { body: { data: { id: 'x' } } }).forms.get('abcdefghijkl')).rejects.toThrow(
      SchemaDriftError,
    )
    await expect(client('throw', { body: { data: { id: 1 } } }).responses.delete('abc', 1)).rejects.toThrow(
      SchemaDriftError,
    )
    expect(await client('throw', { status: 204 }).webhooks.delete('abc', 1)).toEqual({ id: 1, deleted: true })
  })
})

describe('answerSchemas', () => {
  const answer = (type: string, value: z.ZodType) =>
    z.object({ question_id: z.string(), title: z.string(), type: z.literal(type), value, text: z.string() })
  /** As `formwire types --format zod` writes it. */
  const answerSchemas = {
    abcdefghijkl: z.object({
      q1: answer('rating', z.number()),
      colour: answer(
        'single_choice',
        z.object({
          ids: z.array(z.enum(['red', 'blue'], { message: 'expected a listed id' })),
          other: z.string().nullable(),
        }),
      ).optional(),
    }),
  }
  const colour = (...ids: string[]) => ({
    question_id: 'colour',
    title: 'Colour?',
    type: 'single_choice',
    value: { ids, other: null },
    text: '',
  })
  const withAnswers = (...answers: object[]) => ({ ...response, answers })
  const [rating] = response.answers
  const formwire = (validate: ValidateMode, item: object, log?: (message: string) => void): Formwire =>
    client(validate, list(item), log, { answerSchemas })

  it('logs an answer that does not fit the schema of its form, with its path, with "warn"', async () => {
    const lines: string[] = []
    const item = withAnswers(rating!, colour('red', 'secret-option'))
    const page = await formwire('warn', item, (line) => lines.push(line)).responses.list('abcdefghijkl')
    expect(page.data[1]).toEqual(item)
    expect(lines).toEqual([
      'formwire: GET /forms/abcdefghijkl/responses differs from its documented schema at data[1].answers[1].value.ids[1] (expected a listed id).',
    ])
  })

  it('throws a missing answer and another type as drift, with "throw"', async () => {
    const missing = await driftOf(formwire('throw', withAnswers(colour('red'))))
    expect(missing.drift).toEqual([{ path: 'data[1].answers', expected: 'an answer to question "q1"' }])
    const changed = await driftOf(formwire('throw', withAnswers({ ...rating, type: 'nps' })))
    expect(changed.drift.map(({ path }) => path)).toEqual(['data[1].answers[0].type'])
  })

  it('accepts new questions, and responses of forms without a schema', async () => {
    const item = withAnswers(rating!, { ...rating, question_id: 'new' })
    expect((await formwire('throw', item).responses.list('abcdefghijkl')).data).toHaveLength(2)
    for (const form_id of ['party0000001', 'constructor1']) {
      const other = { ...withAnswers(colour('green')), form_id }
      expect((await formwire('throw', other).responses.list('abcdefghijkl')).data).toHaveLength(2)
    }
  })

  it('checks a single response, and each response of a poll', async () => {
    const lines: string[] = []
    const answering = (body: object) =>
      client('warn', { body }, (line) => lines.push(line), { answerSchemas }).responses
    await answering({ data: withAnswers() }).get('abcdefghijkl', 5)
    const page = { data: [withAnswers()], meta: { page: 1, per_page: 100, total: 1 } }
    const polled = answering(page).poll('abcdefghijkl', { once: true })
    for await (const { answers } of polled) expect(answers).toEqual([])
    expect(lines[0]).toContain(' at data.answers (an answer to question "q1").')
    expect(lines.slice(1).join()).toContain(' at data[0].answers (an answer to question "q1").')
  })

  it('rejects schemas without "validate", and schemas that validate asynchronously', async () => {
    expect(() => new Formwire({ apiKey: 'svc_k', baseUrl: 'https://x.example', answerSchemas })).toThrow(
      new UsageError('"answerSchemas" requires "validate".'),
    )
    const slow = { '~standard': { validate: async () => ({}) } }
    const slowly = client('throw', list(response), undefined, { answerSchemas: { abcdefghijkl: slow } })
    await expect(slowly.responses.list('abcdefghijkl')).rejects.toThrow(
      'The schema of form abcdefghijkl in "answerSchemas" must validate synchronously.',
    )
  })
})
