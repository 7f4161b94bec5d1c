import { signatureHeader } from '@formwire/webhook-verify'
import { describe, expect, it } from 'vitest'
import { CHECKS, type ReceiverCheckName } from '../../../src/testing/receiver-check/checks.ts'
import { deliverySource, type Probe } from '../../../src/testing/receiver-check/probe.ts'
import { SECRET, TIMESTAMP } from '../../support.ts'

const NOW = TIMESTAMP * 1000 + 999
const next = deliverySource(SECRET, () => NOW)
const delivery = next()
const { body, payload } = delivery
const genuine = Object.fromEntries(delivery.headers)
const signature = (text: string, seconds = TIMESTAMP, secret = SECRET) =>
  signatureHeader(secret, seconds, text)
const digits = signature(body).slice(7)
const signed = (text: string) => ({ body: text, headers: { 'X-Service-Signature': signature(text) } })
const last = (value: string) => body.replaceAll('"Fast"', `"${value}"`)

/** What differs from the genuine delivery. A header of undefined is missing. */
interface Difference {
  headers?: Record<string, string | undefined>
  body?: string
  method?: string
  chunked?: boolean
}

const DIFFERENCES: [ReceiverCheckName, Difference][] = [
  ['genuine', {}],
  ['fast_enough', {}],
  ['test_ping', renamed('test.ping', 0)],
  ['unknown_event', renamed('form.archived', payload.response.id)],
  ['pretty_printed', signed(JSON.stringify(JSON.parse(body), null, 2))],
  ['non_ascii', signed(last('Café · 満足度 · رضا · 👩🏽‍🚀'))],
  ['chunked', { chunked: true }],
  [
    'unknown_fields',
    signed(
      body
        .replace('"title":"Receiver check"', '"title":"Receiver check","folder":{"id":7}')
        .replaceAll(/("text":"\w+")/g, '$1,"hidden":false')
        .replace('"newsletter"}}}}', '"newsletter"},"country":"DE"},"language":"en"},"api_version":"1.1"}'),
    ),
  ],
  ['tampered_body', { body: body.replace('"value":5', '"value":4') }],
  ['reserialized_body', { body: JSON.stringify(JSON.parse(body), null, 2) }],
  [
    'wrong_secret',
    { headers: { 'X-Service-Signature': signature(body, TIMESTAMP, `${SECRET}_of_another_endpoint`) } },
  ],
  ['missing_signature', { headers: { 'X-Service-Signature': undefined } }],
  ['missing_timestamp', { headers: { 'X-Service-Timestamp': undefined } }],
  ['signature_without_prefix', { headers: { 'X-Service-Signature': digits } }],
  ['uppercase_signature', { headers: { 'X-Service-Signature': `sha256=${digits.toUpperCase()}` } }],
  ['old_timestamp', dated(TIMESTAMP - 600)],
  ['future_timestamp', dated(TIMESTAMP + 600)],
  ['tampered_timestamp', { headers: { 'X-Service-Timestamp': String(TIMESTAMP - 5) } }],
  ['empty_body', { body: '' }],
  ['truncated_signature', { headers: { 'X-Service-Signature': `sha256=${digits.slice(0, 32)}` } }],
  ['not_post', { method: 'PUT' }],
]

function renamed(event: string, id: number): Difference {
  const text = body
    .replace('"event":"response.submitted"', `"event":"${event}"`)
    .replace(`"id":${payload.response.id}`, `"id":${id}`)
  return {
    body: text,
    headers: { 'X-Service-Event': event, 'X-Service-Signature': signature(text) },
  }
}

function dated(seconds: number): Difference {
  return {
    headers: { 'X-Service-Timestamp': String(seconds), 'X-Service-Signature': signature(body, seconds) },
  }
}

/** Returns what a check sends that sends one request. */
async function probeOf(name: ReceiverCheckName): Promise<Probe> {
  const sent: Probe[] = []
  const send = async (probe: Probe) => ({ status: sent.push(probe) })
  await CHECKS[name].run({ next: () => delivery, send })
  expect(sent).toHaveLength(1)
  return sent[0] as Probe
}

describe('the probe of a check', () => {
  it.each(DIFFERENCES)('%s differs from a genuine delivery in one thing', async (name, difference) => {
    const probe = await probeOf(name)
    const headers = Object.entries({ ...genuine, ...difference.headers }).filter(([, value]) => value)
    expect(Object.fromEntries(probe.headers)).toEqual(Object.fromEntries(headers))
    expect([probe.body, probe.method, probe.chunked]).toEqual([
      difference.body ?? body,
      difference.method,
      difference.chunked,
    ])
  })

  it('large_body has 900 kB, in the value and the text of the last answer', async () => {
    const probe = await probeOf('large_body')
    expect(probe.body).toHaveLength(900_000)
    expect(Object.fromEntries(probe.headers)['X-Service-Signature']).toBe(signature(probe.body))
    const { value, text } = JSON.parse(probe.body).response.answers[1]
    expect([value, text]).toEqual(['y'.repeat(value.length), 'y'.repeat(text.length)])
    expect([0, 1]).toContain(text.length - value.length)
    expect(probe.body.replaceAll(/"y+"/g, '"Fast"')).toBe(body)
  })

  it('header_case has the names in lower case', async () => {
    const { headers, body: sent } = await probeOf('header_case')
    expect(headers).toEqual(delivery.headers.map(([name, value]) => [name.toLowerCase(), value]))
    expect(sent).toBe(body)
  })

  it('covers every check', () => {
    const covered = [...DIFFERENCES.map(([name]) => name), 'large_body', 'header_case']
    const single = Object.entries(CHECKS).filter(([, { repeats }]) => !repeats)
    expect(covered.sort()).toEqual(single.map(([name]) => name).sort())
  })

  it('is required, apart from uppercase digits and other methods', () => {
    const optional = Object.entries(CHECKS).filter(([, { required }]) => !required)
    expect(optional.map(([name]) => name)).toEqual(['uppercase_signature', 'not_post'])
  })
})

describe('the source of deliveries', () => {
  it('signs as the service does, in whole seconds', () => {
    expect(delivery.headers).toEqual([
      ['Accept', '*/*'],
      ['Accept-Encoding', 'identity'],
      ['User-Agent', 'Formwire-Webhooks/1'],
      ['Content-Type', 'application/json'],
      ['X-Service-Event', 'response.submitted'],
      ['X-Service-Delivery', expect.any(String)],
      ['X-Service-Timestamp', '1795253400'],
      ['X-Service-Signature', signature(body)],
    ])
    expect(JSON.parse(body)).toEqual(payload)
    expect([delivery.timestampSeconds, payload.response.submitted_at]).toEqual([
      TIMESTAMP,
      '2026-11-21T09:30:00.999Z',
    ])
    expect(payload.response.id).toBeGreaterThanOrEqual(1_000_000_000)
    expect(payload.response.id).toBeLessThan(2_000_000_000)
    expect(payload.response.answers).toHaveLength(2)
  })

  it('makes new responses', () => {
    const { payload: other, timestampSeconds } = next(7)
    expect([other.response.id, timestampSeconds]).toEqual([payload.response.id + 1, TIMESTAMP - 7])
  })
})
