import { describe, expect, it, vi } from 'vitest'
import { Formwire, SchemaDriftError, UsageError, type ValidateMode } from '../src/index.ts'
import { fakeTransport } from './support/fake-transport.ts'

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
  log?: (message: string) => void,
): Formwire {
  const logger = { debug: () => {}, info: () => {}, warn: log ?? (() => {}), error: () => {} }
  return new Formwire({ apiKey: 'svc_k', transport: fakeTransport(step), validate, logger })
}

describe('validate', () => {
  const drifted = { ...response, answers: [{ ...response.answers[0], value: 'four' }], duration_sec: -1 }

  it('throws the drift with its path but without the value, with "throw"', async () => {
    const error = (await client('throw', list(drifted))
      .responses.list('abcdefghijkl')
      .catch((caught) => caught)) as SchemaDriftError
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

  it('throws before the request is sent if zod is not installed', async () => {
    vi.doMock('@formwire/contract/schemas', () => {
      throw new Error("Cannot find package 'zod'")
    })
    try {
      const transport = fakeTransport(list(response))
      const formwire = new Formwire({ apiKey: 'svc_k', transport, validate: 'throw' })
      const error = await formwire.responses.list('abcdefghijkl').catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(UsageError)
      expect((error as UsageError).message).toBe(
        '"validate" requires zod 3.25 or newer, which could not be loaded; install it with "npm install zod".',
      )
      expect((error as UsageError).cause).toBeDefined()
      expect(transport.requests).toEqual([])
    } finally {
      vi.doUnmock('@formwire/contract/schemas')
    }
  })

  it('[ENV-04] does not report unknown fields, statuses and question types as drift', async () => {
    const newer = {
      ...response,
      status: 'under_review',
      sentiment: 0.4,
      answers: [{ question_id: 'q', title: 'T', type: 'colour', value: { any: 1 }, text: 'x', extra: 1 }],
      meta: { device: 'desktop', battery: 3 },
    }
    const page = await client('throw', list(newer)).responses.list('abcdefghijkl')
    expect(page.data[1]).toEqual(newer)
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
