import type {
  ClockState,
  DeliveryAttempt,
  DeliveryDetail,
  ReceiverDelivery,
} from '@formwire/contract/control'
import { DEFAULT_TOLERANCE_SECONDS, ERROR_CODES, signatureHeader } from '@formwire/webhook-verify'
import { DOCS, type Reason, reasonWith } from './reason.ts'

/** What may show why a receiver refused a signature. */
export interface SignatureFacts {
  /** Secret of the endpoint, if this session has created it. */
  secret?: string | undefined
  /** What a mock receiver of the local server has recorded of the last attempt. */
  received?: ReceiverDelivery | undefined
  /** Id of the last delivery of the endpoint that was accepted with a signature of an earlier secret. */
  acceptedBefore?: string | undefined
  clock: ClockState
  /** Real time, in milliseconds since the epoch: with a manual clock, when the last attempt was first seen. */
  realNow: number
}

/** Statuses with which receivers refuse a signature. */
const REFUSALS: ReadonlySet<number | null> = new Set([400, 401, 403])

/** The codes of webhook-verify, with which its receivers respond. */
const CODES = new RegExp(`\\b(?:${Object.keys(ERROR_CODES).join('|')})\\b`)

/** A response body of a receiver that is about the signature. */
const ABOUT_SIGNATURES = /signature|timestamp|hmac|secret|verify|verified|verification/i

/** Returns why the receiver refused the signature of an attempt, if its status may mean that. The surest reason is the only one. */
export function signatureReason(
  delivery: DeliveryDetail,
  attempt: DeliveryAttempt,
  facts: SignatureFacts,
): Reason | undefined {
  const { secret, received } = facts
  const answer = attempt.receiver_answer ?? ''
  const [code] = CODES.exec(answer) ?? []
  if (!REFUSALS.has(attempt.http_status) && code === undefined) return undefined
  if (received && received.verified !== false) return undefined
  if (received) return recordedReason(delivery, received, facts.acceptedBefore)
  const isAbout = code !== undefined || ABOUT_SIGNATURES.test(answer)
  if (attempt.http_status === 400 && answer.trim() !== '' && !isAbout) return undefined
  if (secret !== undefined && !isSignedWith(secret, delivery, attempt)) return SECRET_REPLACED
  const ahead = secondsAhead(attempt, facts)
  const isOff = Math.abs(ahead) > DEFAULT_TOLERANCE_SECONDS
  if (isOff && (code === undefined || code.startsWith('timestamp_'))) return clockReason(ahead)
  if (code !== undefined && code !== 'no_match') return reasonOf(code)
  if (facts.acceptedBefore !== undefined) return secretReplacedSince(facts.acceptedBefore)
  return isAbout ? REFUSED : SECRET_OR_BYTES
}

/** Returns how many seconds the clock of the server was ahead of real time at an attempt. */
export const secondsAhead = (
  { timestamp }: DeliveryAttempt,
  { clock, realNow }: Pick<SignatureFacts, 'clock' | 'realNow'>,
): number =>
  // A real clock runs as real time does, so the difference is that of the attempt.
  (clock.mode === 'real' ? Math.round(Date.parse(clock.now) / 1000) : timestamp) - Math.floor(realNow / 1000)

/** Whether a reason is only a guess, so that other advice may be right. */
export const isGuess = (reason: Reason): boolean => reason === SECRET_OR_BYTES

/** Whether a secret may have given the signature of an attempt. Nothing speaks against it once the bytes are gone with a deleted response. */
export const isSignedWith = (
  secret: string,
  { raw_body: body }: DeliveryDetail,
  attempt: DeliveryAttempt,
): boolean => body === null || signatureHeader(secret, attempt.timestamp, body) === attempt.signature

/** Whether a receiver received the bytes that were sent. */
export const hasSameBytes = ({ raw_body: body }: DeliveryDetail, received: ReceiverDelivery): boolean =>
  body !== null && Buffer.from(received.body_base64, 'base64').equals(Buffer.from(body))

/** By the error of a mock receiver, which is certain. */
function recordedReason(
  delivery: DeliveryDetail,
  received: ReceiverDelivery,
  acceptedBefore: string | undefined,
): Reason {
  const code = received.verification_error ?? 'no_match'
  if (code === 'no_match' && hasSameBytes(delivery, received))
    return acceptedBefore === undefined ? WRONG_SECRET : secretReplacedSince(acceptedBefore)
  return reasonOf(code)
}

/** By a code of webhook-verify. */
function reasonOf(code: string): Reason {
  const { meaning, hint } = ERROR_CODES[code as keyof typeof ERROR_CODES] ?? ERROR_CODES.no_match
  return reasonWith(code, meaning, [`docs/how-to/troubleshooting.md#${code}`], hint)
}

const WRONG_SECRET = reasonWith(
  'wrong_secret',
  'The body arrived unchanged, so the receiver verifies with another secret than that of this endpoint.',
  ['docs/how-to/signature-mismatch.md#2-is-it-the-secret-of-this-endpoint'],
  'Give the receiver the secret of this endpoint, whsec_ included. Each endpoint has its own.',
)

const SECRET_REPLACED = reasonWith(
  'secret_replaced',
  'This attempt was signed with another secret than the one that this session knows: the secret of the endpoint was replaced.',
  [DOCS.rotation, 'docs/reference/rules.md#hook-08'],
  'Give the receiver the new secret, and replay the delivery, or let its next attempt come: each attempt is signed with the secret of that moment.',
)

/** The secret was replaced before the attempt. */
const secretReplacedSince = (delivery: string): Reason => ({
  ...SECRET_REPLACED,
  cause: `The secret of the endpoint was replaced after ${delivery}, which the receiver accepted. The receiver probably still verifies with the earlier secret.`,
  change: [
    'Give the receiver the new secret: the tool form, action rotate_secret, returned it. If it is lost, the same action creates another.',
  ],
})

const SECRET_OR_BYTES = reasonWith(
  'no_match',
  'This is a guess by the status: the signature may not match, because the receiver has another secret, or because it does not hash the bytes that were sent.',
  [DOCS.mismatch, 'docs/how-to/troubleshooting.md#no_match'],
  'Run check_receiver on the URL of the endpoint: which checks fail shows whether the secret or the bytes are wrong.',
  'Hash the raw bytes of the request: not JSON that was parsed and serialized again.',
  'Use the whole text of the secret as the key, whsec_ included, without a line break. If it is lost, tool form, action rotate_secret, creates a new one.',
)

/** The response body of the receiver says so. */
const REFUSED: Reason = {
  ...SECRET_OR_BYTES,
  cause:
    'The receiver responded that the signature does not match: it has another secret, or does not hash the bytes that were sent.',
}

function clockReason(ahead: number): Reason {
  const [name, direction] = ahead > 0 ? ['timestamp_in_future', 'ahead of'] : ['timestamp_too_old', 'behind']
  return reasonWith(
    name,
    `The signature is dated by the clock of the local server, ${Math.abs(ahead)} seconds ${direction} real time. A receiver that uses real time refuses more than ${DEFAULT_TOLERANCE_SECONDS}.`,
    [`docs/how-to/troubleshooting.md#${name}`],
    'Give the receiver the time of the server in tests (option now of webhook-verify), or a wider tolerance.',
    'Or start the server with {"clock": "real"}, and start retries with the tool deliveries, action retry.',
  )
}
