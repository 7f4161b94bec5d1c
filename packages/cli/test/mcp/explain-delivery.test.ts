import type {
  AttemptError,
  DeliveryAttempt,
  DeliveryDetail,
  FormEndpoint,
  ReceiverDelivery,
} from '@formwire/contract/control'
import { describe, expect, it } from 'vitest'
import { type DeliveryFacts, explainDelivery } from '../../src/mcp/explain/explain-delivery.ts'
import { NOON } from '../support/run-cli.ts'

const SECRET = 'whsec_of_the_endpoint'
const BODY = '{"event":"response.submitted"}'

/** From openssl, for the secret, noon and the body. */
const SIGNATURE = 'sha256=103245a4d17e84ab89c43159c4c8b86dd541326c4647b81b97f0b8251ddc86b2'

const at = (seconds: number): string => new Date(NOON + seconds * 1000).toISOString()

const endpoint: FormEndpoint = {
  id: 3,
  form_id: 'survey000001',
  url: 'http://127.0.0.1:4000/hook',
  active: true,
  created_at: at(-60),
  built_in: false,
  health: { state: 'failing', since: at(0), not_sent: 0 },
  log: {
    delivered: 0,
    pending: 1,
    retrying: 1,
    failed: 0,
    to_replay: 0,
    last_attempt: { http_status: 503, error: 'http_503' },
  },
}

function attempt(error: AttemptError | null, members: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  const status = error === null ? 200 : Number(/^http_(\d+)$/.exec(error)?.[1] ?? Number.NaN)
  return {
    number: 1,
    started_at: at(0),
    duration_ms: 12,
    http_status: Number.isNaN(status) ? null : status,
    error,
    signature: SIGNATURE,
    timestamp: NOON / 1000,
    receiver_answer: null,
    ...members,
  }
}

function delivery(members: Partial<DeliveryDetail> = {}): DeliveryDetail {
  return {
    id: 'dlv_1',
    event: 'response.submitted',
    status: 'pending',
    response_id: 7,
    payload: {},
    http_status: null,
    error: null,
    earlier_errors: [],
    duration_ms: null,
    receiver_answer: null,
    next_attempt_at: at(60),
    note: null,
    created_at: at(0),
    form_id: 'survey000001',
    webhook_id: 3,
    raw_body: BODY,
    attempts: [],
    ...members,
  }
}

const facts: DeliveryFacts = { endpoint, clock: { mode: 'manual', now: at(0) }, realNow: NOON }

const failed = (error: AttemptError): DeliveryDetail => delivery({ attempts: [attempt(error)] })

const codes = (detail: DeliveryDetail, more: Partial<DeliveryFacts> = {}): string[] =>
  explainDelivery(detail, { ...facts, ...more }).causes.map(({ name }) => name)

const received = (members: Partial<ReceiverDelivery> = {}): ReceiverDelivery =>
  ({
    verified: false,
    verification_error: 'no_match',
    body_base64: Buffer.from(BODY).toString('base64'),
    status: 401,
    ...members,
  }) as ReceiverDelivery

describe('explainDelivery', () => {
  it.each<[error: AttemptError, cause: RegExp, change: RegExp]>([
    ['timeout', /within the deadline/, /respond with 200, and process it afterwards/],
    ['protocol', /not valid HTTP/, /speaks HTTP/],
    ['http_301', /Redirects are not followed/, /Register the final URL/],
    ['http_404', /responded with 404/, /path of the endpoint URL/],
    ['http_418', /responded with 418/, /other than 2xx is a failure/],
    ['http_507', /responded with 507/, /log of the receiver/],
  ])('[DLV-05] explains an attempt that failed with %s', (error, cause, change) => {
    const { causes, change: changes, docs, outcome } = explainDelivery(failed(error), facts)
    expect(causes).toEqual([{ name: error, text: expect.stringMatching(cause) }])
    expect(changes[0]).toMatch(change)
    expect(docs.length).toBeGreaterThan(0)
    expect(outcome).toBe(`pending: attempt 2 of 6 is due at ${at(60)}, in 60 s of the server's clock`)
  })

  describe('of a receiver that may have refused the signature', () => {
    it.each(['http_400', 'http_401', 'http_403'] as const)(
      '[DLV-10] suspects secret and bytes behind %s',
      (error) => {
        const { causes, change } = explainDelivery(failed(error), { ...facts, secret: SECRET })
        expect(causes.map(({ name }) => name)).toEqual(['no_match', error])
        expect(change[0]).toMatch(/check_receiver/)
      },
    )

    it.each([
      [
        'no_match: The signature does not match any configured secret.',
        401,
        'no_match',
        /^The receiver responded/,
      ],
      ['{"error":"invalid signature"}', 403, 'no_match', /^The receiver responded/],
      ['missing_header: The header is missing.', 400, 'missing_header', /header is missing/],
      ['body_already_parsed', 500, 'body_already_parsed', /already parsed/],
      ['', 401, 'no_match', /guess by the status/],
    ])('[DLV-10] takes "%s" with %i for what it says: %s', (receiver_answer, status, name, cause) => {
      const refused = delivery({ attempts: [attempt(`http_${status}`, { receiver_answer })] })
      const { causes } = explainDelivery(refused, { ...facts, secret: SECRET })
      expect(causes[0]).toEqual({ name, text: expect.stringMatching(cause) })
    })

    it('[HOOK-08] finds that the secret was replaced after the attempt', () => {
      const explanation = explainDelivery(failed('http_401'), { ...facts, secret: 'whsec_new' })
      expect(explanation.causes[0]?.name).toBe('secret_replaced')
      expect(explanation.evidence.signed_with_current_secret).toBe(false)
    })

    it.each([
      ['timestamp_in_future', -301, /301 seconds ahead of real time/],
      ['timestamp_too_old', 3_600, /3600 seconds behind real time/],
    ])('[DLV-04] finds a clock that is off: %s', (code, seconds, text) => {
      const explanation = explainDelivery(failed('http_401'), { ...facts, realNow: NOON + seconds * 1000 })
      expect(explanation.causes[0]).toEqual({ name: code, text: expect.stringMatching(text) })
      expect(explanation.evidence.timestamp_minus_real_time_s).toBe(-seconds)
    })

    it('[DLV-04] takes a clock within the tolerance for right', () => {
      expect(codes(failed('http_401'), { realNow: NOON + 300_000 })).toEqual(['no_match', 'http_401'])
    })

    it('[DLV-10] finds a wrong secret when a mock receiver got the same bytes', () => {
      const explanation = explainDelivery(failed('http_401'), { ...facts, received: received() })
      expect(explanation.causes[0]?.name).toBe('wrong_secret')
      expect(explanation.evidence.received).toEqual({
        verified: false,
        verification_error: 'no_match',
        same_bytes: true,
      })
    })

    it('[DLV-10] does not blame the secret when other bytes arrived', () => {
      expect(codes(failed('http_401'), { received: received({ body_base64: 'e30=' }) })[0]).toBe('no_match')
    })

    it.each(['timestamp_too_old', 'missing_header'])(
      '[DLV-10] names the error of a mock receiver: %s',
      (code) => {
        const explanation = explainDelivery(failed('http_400'), {
          ...facts,
          received: received({ verification_error: code }),
        })
        expect(explanation.causes[0]?.name).toBe(code)
        expect(explanation.docs[0]).toBe(`docs/how-to/troubleshooting.md#${code}`)
      },
    )
  })

  it('[DLV-04] compares a real clock with real time at the attempt, not at the explanation', () => {
    const explanation = explainDelivery(failed('http_401'), {
      ...facts,
      clock: { mode: 'real', now: at(400) },
      realNow: NOON + 400_000,
    })
    expect(explanation.causes[0]?.name).toBe('no_match')
    expect(explanation.evidence.timestamp_minus_real_time_s).toBe(0)
  })

  it('[DLV-10] does not suspect the signature when a receiver names another reason for a 400', () => {
    const other = delivery({ attempts: [attempt('http_400', { receiver_answer: 'missing field tenant' })] })
    expect(codes(other, { realNow: NOON + 400_000 })).toEqual(['http_400'])
    const signature = delivery({ attempts: [attempt('http_400', { receiver_answer: 'invalid signature' })] })
    expect(codes(signature)).toEqual(['no_match', 'http_400'])
  })

  it('[HOOK-08] names the replacement of the secret after a delivery that was accepted', () => {
    const explanation = explainDelivery(failed('http_401'), {
      ...facts,
      secret: SECRET,
      acceptedBefore: 'dlv_0',
    })
    expect(explanation.causes[0]).toEqual({
      name: 'secret_replaced',
      text: expect.stringMatching(/replaced after dlv_0, which the receiver accepted/),
    })
    expect(explanation.change[0]).toMatch(/rotate_secret/)
  })

  it('[DLV-08] does not suggest a replay that was made', () => {
    const note = 'The endpoint is paused. Resume it and replay this delivery.'
    const stopped = delivery({
      status: 'failed',
      next_attempt_at: null,
      note,
      attempts: [attempt('http_500')],
    })
    const replayed = explainDelivery(stopped, { ...facts, replay: { id: 'dlv_2', status: 'delivered' } })
    expect(replayed.change).toEqual(['Nothing: its replay dlv_2 was delivered.'])
    expect(replayed.evidence.replay).toEqual({ id: 'dlv_2', status: 'delivered' })
    const pending = explainDelivery(stopped, { ...facts, replay: { id: 'dlv_2', status: 'pending' } })
    expect(pending.change.at(-1)).toBe('Its replay dlv_2 is pending: explain that one.')
  })

  it('[HOOK-07] suggests resuming only an endpoint that is still paused', () => {
    const note = 'The endpoint is paused. Resume it and replay this delivery.'
    const stopped = delivery({ status: 'failed', next_attempt_at: null, note })
    expect(explainDelivery(stopped, facts).change.join()).not.toMatch(/Resume/)
    const paused: FormEndpoint = {
      ...endpoint,
      active: false,
      health: { state: 'paused', since: at(0), not_sent: 2 },
    }
    const explanation = explainDelivery(stopped, { ...facts, endpoint: paused })
    expect(explanation.change[0]).toMatch(/^Resume the endpoint/)
    expect(explanation.evidence.endpoint).toMatchObject({ active: false, not_sent: 2 })
    expect(explanation.change.at(-1)).toMatch(/^Resuming does not send what was submitted meanwhile \(2\)/)
    expect(explanation.docs).toContain('docs/explanation/webhook-delivery.md#missed')
  })

  it('[DLV-05] tells a scripted failure of a mock receiver from one of the signature', () => {
    const script = received({ verified: true, verification_error: null })
    expect(codes(failed('http_401'), { received: script })).toEqual(['scripted', 'http_401'])
  })

  it('[DLV-06] explains a delivery whose attempts are used up', () => {
    const attempts = Array.from({ length: 6 }, (_, index) => attempt('refused', { number: index + 1 }))
    const explanation = explainDelivery(
      delivery({ status: 'failed', next_attempt_at: null, attempts }),
      facts,
    )
    expect(explanation.outcome).toBe('failed after 6 of 6 attempts')
    expect(explanation.causes.map(({ name }) => name)).toEqual(['exhausted', 'refused'])
    expect(explanation.change.at(-1)).toMatch(/replay it: .*"dlv_1"/)
  })

  it.each([
    ['[HOOK-07]', 'paused', 'The endpoint is paused. Resume it and replay this delivery.'],
    [
      '[DLV-06]',
      'form_trashed',
      'The form was moved to the trash before this delivery reached its receiver.',
    ],
    ['[DLV-06]', 'cancelled', 'The delivery was cancelled. Replay it to send it again.'],
    ['[DLV-06]', 'stopped', 'The next attempt would be after the year 9999, where the clock ends.'],
  ])('%s explains a delivery that was stopped: %s', (_rule, code, note) => {
    const stopped = delivery({
      status: 'failed',
      next_attempt_at: null,
      note,
      attempts: [attempt('http_500')],
    })
    const explanation = explainDelivery(stopped, facts)
    expect(explanation.causes.map((cause) => cause.name)).toEqual([code, 'http_500'])
    expect(explanation.outcome).toBe('failed after 1 of 6 attempts')
    expect(explanation.evidence.note).toBe(note)
  })

  it('[DLV-06] explains a delivery whose response was deleted, which cannot be replayed', () => {
    const note = 'The response was deleted before this delivery reached its receiver.'
    const gone = delivery({ status: 'failed', next_attempt_at: null, note, raw_body: null })
    const explanation = explainDelivery(gone, facts)
    expect(explanation.causes.map(({ name }) => name)).toEqual(['response_deleted'])
    expect(explanation.change.join()).not.toMatch(/replay/)
    // Its bytes are gone, so the refused signature of an earlier attempt cannot be compared with them.
    const refused = explainDelivery(
      { ...gone, attempts: [attempt('http_401')] },
      { ...facts, secret: 'whsec_of_this_session' },
    )
    expect(refused.causes.map(({ name }) => name)).not.toContain('secret_replaced')
    expect(refused.evidence).not.toHaveProperty('signed_with_current_secret')
  })

  it.each<[name: string, members: Partial<DeliveryDetail>, outcome: string]>([
    ['delivered', { status: 'delivered', attempts: [attempt(null)] }, 'delivered with the first attempt'],
    [
      'delivered after a failure',
      { status: 'delivered', attempts: [attempt('http_500'), attempt(null, { number: 2 })] },
      'delivered with attempt 2, after 1 failed',
    ],
  ])('[DLV-06] finds nothing wrong with a delivery that is %s', (_name, members, outcome) => {
    const explanation = explainDelivery(delivery(members), facts)
    expect(explanation).toMatchObject({ outcome, causes: [], change: [] })
  })

  it('[DLV-05] says that an attempt is in flight', () => {
    const explanation = explainDelivery(delivery({ next_attempt_at: at(0) }), facts)
    expect(explanation.outcome).toBe('pending: attempt 1 of 6 is in flight or about to start')
    expect(explanation.change).toEqual(['Ask again: an attempt ends after at most 10 seconds.'])
  })

  it.each([
    ['manual', /advance the clock: tool clock, \{"advance": "60s"\}/],
    ['real', /tool deliveries, \{"action": "retry", "delivery": "dlv_1"\}/],
  ] as const)('[DLV-06] names the way to the next attempt with a %s clock', (mode, text) => {
    const { change } = explainDelivery(failed('refused'), { ...facts, clock: { mode, now: at(0) } })
    expect(change.at(-1)).toMatch(text)
  })
})
