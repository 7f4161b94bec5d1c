import { signatureHeader } from '@formwire/webhook-verify'
import { describe, expect, it } from 'vitest'
import { refusalOf, SECRET, SIGNED_AT, TIMESTAMP, verifiers } from '../support.ts'

/** Signs any body, so that only its content can be refused. */
function signed(body: string | Uint8Array) {
  const headers = {
    'x-service-timestamp': String(TIMESTAMP),
    'x-service-signature': signatureHeader(SECRET, TIMESTAMP, body),
  }
  return { secret: SECRET, headers, body, now: SIGNED_AT }
}

const FORM = '"form":{"id":"f","title":"T"}'
const RESPONSE =
  '"response":{"id":1,"submitted_at":"2026-11-21T09:30:00Z","answers":[],"score":null,"max_score":null,"meta":{}}'

describe.each(verifiers)('the payload of a verified delivery ($name)', ({ verify }) => {
  it.each(['', 'not json', '{"event":', '\ufeff{}'])(
    'refuses %j as invalid JSON without repeating it',
    async (body) => {
      const error = await refusalOf(() => verify(signed(body)))
      expect(error).toMatchObject({ code: 'invalid_json', status: 400 })
      expect(error.message).toBe(`The body (${body.length} characters) is not JSON.`)
      expect(error.cause).toBeUndefined()
    },
  )

  it('refuses a byte order mark in bytes', async () => {
    const body = Buffer.from(`\ufeff{"event":"test.ping",${FORM},${RESPONSE}}`)
    expect((await refusalOf(() => verify(signed(body)))).code).toBe('invalid_json')
  })

  it.each([
    ['an array', '[]', 'The body must be a JSON object, got an array.'],
    ['null', 'null', 'The body must be a JSON object, got null.'],
    ['a string', '"event"', 'The body must be a JSON object, got string.'],
    ['no event', '{}', 'The body\'s "event" must be a string, got undefined.'],
    ['an event that is not a string', '{"event":5}', 'The body\'s "event" must be a string, got number.'],
    ['an empty event', '{"event":""}', 'The body\'s "event" must be a string, got string.'],
    ['no form', `{"event":"test.ping",${RESPONSE}}`, 'The body\'s "form" must be an object, got undefined.'],
    [
      'a form without id',
      `{"event":"test.ping","form":{},${RESPONSE}}`,
      'The body\'s "form.id" must be a string, got undefined.',
    ],
    [
      'no response',
      `{"event":"response.submitted",${FORM}}`,
      'The body\'s "response" must be an object, got undefined.',
    ],
    [
      'a response id that is not an integer',
      `{"event":"test.ping",${FORM},"response":{"id":"1"}}`,
      'The body\'s "response.id" must be an integer, got string.',
    ],
    [
      'answers that are not an array',
      `{"event":"test.ping",${FORM},"response":{"id":1,"answers":{}}}`,
      'The body\'s "response.answers" must be an array, got object.',
    ],
    [
      'a submitted response without answers',
      `{"event":"response.submitted",${FORM},"response":{"id":1}}`,
      'The body\'s "response.answers" must be an array, got undefined.',
    ],
    [
      'a ping without answers',
      `{"event":"test.ping",${FORM},"response":{"id":0}}`,
      'The body\'s "response.answers" must be an array, got undefined.',
    ],
    [
      'answers that are null',
      `{"event":"response.submitted",${FORM},"response":{"id":1,"answers":null}}`,
      'The body\'s "response.answers" must be an array, got null.',
    ],
    [
      'a form that is an array',
      `{"event":"response.submitted","form":[],${RESPONSE}}`,
      'The body\'s "form" must be an object, got an array.',
    ],
    [
      'a response that is null',
      `{"event":"response.submitted",${FORM},"response":null}`,
      'The body\'s "response" must be an object, got null.',
    ],
    [
      'a response id beyond the safe integers',
      `{"event":"response.submitted",${FORM},"response":{"id":9007199254740992,"answers":[]}}`,
      'The body\'s "response.id" must be an integer, got number.',
    ],
  ])('[DLV-03] refuses %s', async (_what, body, message) => {
    expect(await refusalOf(() => verify(signed(body)))).toMatchObject({ code: 'unexpected_payload', message })
  })

  it('[ENV-04] ignores unknown fields at every depth', async () => {
    const body = `{"later":1,"event":"response.submitted","form":{"id":"f","title":"T","later":{"a":1}},"response":{"id":1,"answers":[{"later":[]}],"later":null}}`
    expect(await verify(signed(body))).toMatchObject({
      form: { later: { a: 1 } },
      response: { answers: [{ later: [] }], later: null },
    })
  })

  it('shortens the name of an event that contradicts its header', async () => {
    const delivery = signed(JSON.stringify({ event: 'e'.repeat(1_000) }))
    const headers = { ...delivery.headers, 'x-service-event': 'test.ping' }
    expect((await refusalOf(() => verify({ ...delivery, headers }))).message).toBe(
      `The event header is "test.ping", but the signed body has "${'e'.repeat(256)}".`,
    )
  })

  it('[DLV-02] returns a ping with response id 0', async () => {
    const event = await verify(signed(`{"event":"test.ping",${FORM},"response":{"id":0,"answers":[]}}`))
    expect(event).toMatchObject({ type: 'test.ping', response: { id: 0 } })
  })

  it('[ENV-04] returns an event of an unknown type with its whole payload', async () => {
    expect(await verify(signed('{"event":"form.closed","form":{"id":"f"},"reason":"full"}'))).toStrictEqual({
      type: 'form.closed',
      deliveryId: null,
      timestamp: SIGNED_AT,
      form: { id: 'f' },
      response: undefined,
      payload: { event: 'form.closed', form: { id: 'f' }, reason: 'full' },
    })
  })

  it('is not affected by a body with a __proto__ member', async () => {
    const event = await verify(
      signed(`{"__proto__":{"event":"x","polluted":1},"event":"test.ping",${FORM},${RESPONSE}}`),
    )
    expect(event.type).toBe('test.ping')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})
