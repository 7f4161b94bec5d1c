import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../test/support/any-character.ts'
import { everyQuestion } from '../../src/seed/questions.ts'
import { startForm } from './helpers.ts'

const numRuns = Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 400)

const word = fc.oneof(
  fc.constantFrom(
    '',
    ...['__proto__', 'answers', 'question_id', 'value', 'email', 'ids', 'other', 'started_at'],
    ...['submit_token', '1795251600000.1.x', 'a@b.co', '4', 'yes'],
    '\0',
  ),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
)
const questionId = fc.oneof(fc.constantFrom(...everyQuestion().map(({ id }) => id ?? '')), word)
const fieldName = fc.oneof(
  questionId.map((id) => `q[${id}]`),
  fc.tuple(questionId, word).map(([id, part]) => `q[${id}][${part}]`),
  word,
)
const jsonBody = fc.oneof(
  fc.json(),
  fc
    .record(
      {
        answers: fc.array(fc.record({ question_id: questionId, value: fc.jsonValue() }), { maxLength: 6 }),
        email: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((body) => JSON.stringify(body)),
)
const urlencoded = fc
  .array(fc.tuple(fieldName, word), { maxLength: 8 })
  .map((fields) =>
    fields
      .map((pair) => pair.map((text) => encodeURIComponent(Buffer.from(text).toString())).join('='))
      .join('&'),
  )
const multipart = fc.array(fc.tuple(fieldName, word, fc.option(word)), { maxLength: 6 }).map((parts) =>
  parts
    .map(([name, value, file]) => {
      const fileName = file === null ? '' : `; filename="${file}"`
      return `--b\r\nContent-Disposition: form-data; name="${name}"${fileName}\r\n\r\n${value}\r\n`
    })
    .join('')
    .concat('--b--\r\n'),
)
const body = fc.oneof(
  fc.tuple(fc.constant('application/json'), jsonBody),
  fc.tuple(fc.constant('application/x-www-form-urlencoded'), fc.oneof(urlencoded, fc.string())),
  fc.tuple(fc.constant('multipart/form-data; boundary=b'), fc.oneof(multipart, fc.string())),
  fc.tuple(
    fc.constantFrom('multipart/form-data', 'text/plain', 'application/json; charset=latin1', ''),
    fc.string(),
  ),
)
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'POST', 'POST', 'PUT', 'DELETE', 'HEAD'),
  path: fc.constantFrom(
    '',
    '',
    ...['/drafts', '/drafts/TOKEN', '/drafts/TOKEN/submit', '/files', '/drafts/x', '/thanks'],
    ...['/drafts/TOKEN/saved', '/nothing', '/%zz'],
  ),
  query: fc.constantFrom(
    '',
    '?ref=x&utm_source=y&utm_source=z',
    '?ref=%zz',
    '?question_id=file',
    '?utm___proto__=x',
  ),
  accept: fc.constantFrom('application/json', 'text/html', '*/*', 'text/html;q=x,,;', ''),
  body,
})

const KNOWN_CODES = ['bad_request', 'form_closed', 'not_found', 'validation_failed']

describe('any request to the public form', () => {
  it('[ERR-04] gets a documented response, page or envelope, and never a 500', async () => {
    const bugs: unknown[] = []
    const { server, form, json } = await startForm(everyQuestion(), {
      options: { report: (cause) => bugs.push(cause) },
    })
    const newToken = async (): Promise<string> => (await json('POST', '/drafts', {})).body.data.token
    let token = await newToken()
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path, query, accept, body: [type, text] }) => {
        const url = `http://formwire.test/f/${form.slug}${path.replace('TOKEN', token)}${query}`
        const bodiless = method === 'GET' || method === 'HEAD'
        const response = await server.fetch(
          new Request(url, {
            method,
            headers: { accept, ...(!bodiless && type !== '' && { 'content-type': type }) },
            ...(!bodiless && { body: text }),
          }),
        )
        const received = await response.text()
        expect([200, 201, 303, 400, 403, 404, 422]).toContain(response.status)
        if (method !== 'HEAD' && response.headers.get('content-type') === 'application/json') {
          const { data, error } = JSON.parse(received)
          if (response.status >= 400) expect(KNOWN_CODES).toContain(error.code)
          else expect(data).toBeTypeOf('object')
        } else if (response.status === 303)
          expect(response.headers.get('location')).toMatch(`/f/${form.slug}/`)
        else if (method !== 'HEAD') expect(received).toMatch(/^<!doctype html>/)
        if (path.endsWith('/submit') && response.status < 400) token = await newToken()
      }),
      { numRuns },
    )
    expect(bugs).toEqual([])
    expect(({} as Record<string, unknown>).source).toBeUndefined()
  })
})
