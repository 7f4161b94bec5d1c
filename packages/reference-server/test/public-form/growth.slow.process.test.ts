import { describe, expect, it } from 'vitest'
import { growth, STEEP } from '../../../../test/support/growth.ts'
import { createReferenceServer } from '../../src/index.ts'
import { everyQuestion } from '../../src/seed/questions.ts'
import { answersOf, startForm } from './helpers.ts'

const SIZES = [32_768, 524_288] as const
/** Space for the rest of the body, and for the encoding in a form post. */
const ROOM = 8192

const repeat = (unit: string, bytes: number): string =>
  unit.repeat(Math.floor((bytes - ROOM) / Buffer.byteLength(unit)))
const ideographs = (bytes: number): string =>
  Array.from({ length: Math.floor((bytes - ROOM) / 3) }, (_, i) =>
    String.fromCharCode(0x4e00 + ((i * 7919) % 20_000)),
  ).join('')

/** Texts for which backtracking patterns, normalization or parsers take quadratic time. */
const TEXTS: Readonly<Record<string, (bytes: number) => string>> = {
  digits: (bytes) => `${repeat('1', bytes)}x`,
  'white space': (bytes) => `x${repeat(' ', bytes)}x`,
  'combining marks': (bytes) => `a${repeat('\u0301\u0316\u0327', bytes)}`,
  'mail labels': (bytes) => `a@${repeat('b.', bytes)}c`,
  'host labels': (bytes) => `https://${repeat('a.', bytes)}com`,
  'a host of combining marks': (bytes) => `https://a${repeat('\u0301\u0316\u0327', bytes)}`,
  'a host of ideographs': (bytes) => `https://${ideographs(bytes)}`,
  'a date with a long fraction': (bytes) => `2026-01-01T00:00:00.${repeat('0', bytes)}x`,
}

/** Returns the growth by hostile text where it is too steep: an empty object if all work is linear. */
async function tooSteep(work: (text: string) => Promise<unknown>): Promise<Record<string, number>> {
  const steep: Record<string, number> = {}
  for (const [name, make] of Object.entries(TEXTS)) {
    const texts = new Map(SIZES.map((size) => [size as number, make(size)]))
    const ratio = await growth((size) => work(texts.get(size) ?? ''), SIZES)
    if (ratio > STEEP) steep[name] = ratio
  }
  return steep
}

const questions = everyQuestion()

/** Field suffix for types whose own field does not hold the text. */
const PARTS: Readonly<Record<string, string>> = {
  single_choice: '[other]',
  multiple_choice: '[other]',
  dropdown: '[other]',
  address: '[line1]',
}

/** Returns a value of the type that contains the text. */
function valueWith(type: string, text: string): unknown {
  if (PARTS[type] === '[other]') return { ids: [], other: text }
  if (type === 'address') return { line1: text }
  return type === 'file' || type === 'signature' ? [{ id: text }] : text
}

describe('growth', () => {
  it.each(questions.map((question) => [question.type, question] as const))(
    '[ERR-01] reads a text as an answer of type %s in a processor time that grows like its length',
    async (_type, question) => {
      const { json, post } = await startForm([{ ...question, show_if: null }])
      const steep = await tooSteep(async (text) => {
        await json('POST', '', {
          answers: answersOf({ [question.id as string]: valueWith(question.type, text) }),
        })
        // Not percent-encoded, which would triple the length.
        await post('', `q[${question.id}]${PARTS[question.type] ?? ''}=${text}`)
      })
      expect(steep, JSON.stringify(steep)).toEqual({})
    },
  )

  it('[ERR-01] reads the other texts of a submission in linear time', async () => {
    const { json, post, call } = await startForm([{ id: 'q', type: 'file', title: 'Q' }])
    const steep = await tooSteep(async (text) => {
      await json('POST', '', { email: text })
      await json('POST', '', { answers: [{ question_id: text, value: 1 }] })
      await post('', `started_at=${text}&email=${text.slice(0, 1000)}`)
      await post('', `${text}=1`)
      await json('POST', `?utm_source=${encodeURIComponent(text.slice(0, 1000))}`, {}, { 'user-agent': 'x' })
      const file = new FormData()
      file.append('q[q]', new File(['x'], text))
      await call('POST', '/files', { body: file })
    })
    expect(steep, JSON.stringify(steep)).toEqual({})
  })

  it('[ERR-01] reads the texts of the API and the control API in linear time', async () => {
    const server = createReferenceServer({ limits: 'off', dns: {} })
    const form = server.app.forms.create({ title: 'Form' })
    const send = async (method: string, path: string, body: object) => {
      const token = path.startsWith('/_app') ? server.adminToken : server.writeKey
      const response = await server.fetch(`http://formwire.test${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return response.text()
    }
    const steep = await tooSteep(async (text) => {
      await send('POST', `/api/v1/forms/${form.id}/webhooks`, { url: text })
      await send('PATCH', `/api/v1/forms/${form.id}`, { title: text })
      await send('PATCH', `/api/v1/forms/${form.id}`, { status: text })
      await send('POST', '/_app/forms', { title: text })
      await send('POST', '/_app/forms', { title: 'T', opens_at: text })
      await send('POST', '/_app/forms', { title: 'T', questions: [{ type: 'date', title: text }] })
      await send('POST', '/_app/forms', { title: 'T', questions: [{ type: 'date', title: 'T', id: text }] })
      await send('POST', '/_app/users', { name: 'N', email: text })
      await send('POST', '/_app/keys', { name: text, scope: 'read' })
      await send('POST', '/_app/clock/advance', { by: text })
      await send('POST', '/_app/faults', { path: `/${text}`, status: 700 })
      await send('POST', `/_app/forms/${form.id}/responses`, { email: text })
    })
    expect(steep, JSON.stringify(steep)).toEqual({})
  })
})
