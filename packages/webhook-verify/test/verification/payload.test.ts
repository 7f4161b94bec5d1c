import { signatureHeader } from '@formwire/webhook-verify'
import { describe, expect, it } from 'vitest'
import { codeOf, refusalOf, SECRET, SIGNED_AT, TIMESTAMP, verifiers } from '../support.ts'

/** Signs any body, so that only its content can be refused. */
function signed(body: string | Uint8Array) {
  const headers = {
    'x-service-timestamp': String(TIMESTAMP),
    'x-service-signature': signatureHeader(SECRET, TIMESTAMP, body),
  }
  return { secret: SECRET, headers, body, now: SIGNED_AT }
}

const FORM = '"form":{"id":"f","title":"T"}'
const RESPONSE = '"response":{"id":1,"answers":[]}'
/** The JSON of a ping with other members, of which an undefined one is missing. */
const pingWith = (members: object) =>
  JSON.stringify({ event: 'test.ping', form: { id: 'f' }, response: { id: 1, answers: [] }, ...members })

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
    expect(await codeOf(() => verify(signed(body)))).toBe('invalid_json')
  })

  it.each([
    ['[]', '', 'a JSON object', 'an array'],
    ['null', '', 'a JSON object', 'null'],
    ['{"event":""}', 'event', 'a string', 'string'],
    [pingWith({ form: [] }), 'form', 'an object', 'an array'],
    [pingWith({ form: {} }), 'form.id', 'a string', 'undefined'],
    [pingWith({ response: null }), 'response', 'an object', 'null'],
    [pingWith({ response: { id: 9007199254740992, answers: [] } }), 'response.id', 'an integer', 'number'],
    [pingWith({ response: { id: 1, answers: null } }), 'response.answers', 'an array', 'null'],
  ])('[DLV-03] refuses %s', async (body, field, wanted, got) => {
    const message = `The body${field && `'s "${field}"`} must be ${wanted}, got ${got}.`
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
