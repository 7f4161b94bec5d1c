import { isObject } from '@formwire/internal/json'
import { describe, expect, it } from 'vitest'
import { HOSTILE_FORMS, hostileSeed } from '../../../../test/support/hostile-seed.ts'
import { ALL_HOSTILE_TEXTS } from '../../../../test/support/hostile-texts.ts'
import { type Json, type Mcp, readAll, startMcp } from '../support/mcp-in-process.ts'
import { eachService } from '../support/service.ts'

const { answers: ANSWERS, places: PLACES } = HOSTILE_FORMS
const COUNT = ALL_HOSTILE_TEXTS.length

const service = eachService({ limits: 'off', seed: hostileSeed() })

const connect = (flags: readonly string[] = []): Promise<Mcp> =>
  startMcp(flags, { env: { FORMWIRE_BASE_URL: service.url, FORMWIRE_API_KEY: service.server.writeKey } })

/** Returns the texts of a result that are not marked, and names of members. */
function unmarked(value: Json): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(unmarked)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'untrusted' ? [] : [name, ...unmarked(member)],
  )
}

/** What a service writes: ids, statuses, times and kinds of values. */
const OF_THE_SERVICE = /^(?:[\w:.+-]{1,60}|http:\/\/127\.0\.0\.1:\d+\/f\/\w+)$/

/** Expects that only texts of the service are unmarked, and that nothing was written, is too long or cannot be seen. */
function expectSafe({ lines }: Mcp, values: readonly Json[]): void {
  expect(unmarked(values).filter((text) => !OF_THE_SERVICE.test(text))).toEqual([])
  for (const line of lines) {
    expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200b\ufeff\u{e0000}-\u{e007f}]/u)
    const [content] = JSON.parse(line).result?.content ?? []
    expect(content?.text.length ?? 0).toBeLessThanOrEqual(32_000)
  }
  const methods = service.server.app.requests.list().map(({ method }) => method)
  expect([...new Set(methods)]).toEqual(['GET'])
}

const hasMark = (value: Json): boolean => JSON.stringify(value).includes('"untrusted"')

describe(`${COUNT} hostile texts through MCP`, () => {
  it('are in no response without --answers', async () => {
    const mcp = await connect()
    const responses = await readAll(mcp, 'responses', { form: ANSWERS })
    responses.push(...(await readAll(mcp, 'responses', { form: PLACES })))
    expect(responses).toHaveLength(COUNT + 1)
    expect(responses.filter(hasMark)).toEqual([])
    expectSafe(mcp, responses)
  })

  it('are marked in responses with --answers', async () => {
    const mcp = await connect(['--answers'])
    const responses = await readAll(mcp, 'responses', { form: ANSWERS })
    expect(responses).toHaveLength(COUNT)
    for (const { email, answers, meta } of responses) {
      for (const text of [email, answers[0].value, meta]) expect(Object.keys(text)).toEqual(['untrusted'])
    }
    expectSafe(mcp, responses)
    const [, first] = responses.reverse()
    expect(first.answers[0].value.untrusted).toBe(ALL_HOSTILE_TEXTS[1])
  })

  it('are marked as titles of forms and questions', async () => {
    const mcp = await connect()
    const forms = await readAll(mcp, 'forms', {})
    expect(forms).toHaveLength(COUNT + 2)
    const questions = await readAll(mcp, 'forms', { form: PLACES }, (page) => page.questions)
    expect(questions).toHaveLength(COUNT + 2)
    for (const { title } of [...forms, ...questions]) expect(Object.keys(title)).toEqual(['untrusted'])
    for (const question of questions) question.values = question.values.replaceAll(' | ', '.')
    expectSafe(mcp, [...forms, ...questions])
  })
})
