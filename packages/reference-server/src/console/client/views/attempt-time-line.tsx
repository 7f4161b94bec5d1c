/** @jsxImportSource preact */
import { DELIVERY_HEADERS } from '@formwire/contract'
import { duration, span } from '../format.ts'
import { SECRET_PLACEHOLDER, signatureCommand } from '../signature-command.ts'
import { endpointById } from '../state/catalog.ts'
import { knowsSecret, secretAt } from '../state/secrets.ts'
import type { Attempt, DeliveryDetail } from '../types.ts'
import { HttpStatus } from '../ui/badge.tsx'
import { Command } from '../ui/copy.tsx'
import { Code, Passage } from '../ui/text.tsx'
import { Due, Time } from '../ui/time.tsx'
import { explainError } from './attempt-errors.ts'

/** Full length of a duration's bar: the deadline of an attempt (DLV-05). */
const DEADLINE_MS = 10_000
/** Below this share of it a bar would be a speck. */
const SHOWN_SHARE = 0.1

/** `undefined` for an endpoint that is gone, or an address out of a snapshot that is none. */
function hostOf(url: string): string | undefined {
  try {
    return new URL(url).host
  } catch {
    return undefined
  }
}

/** As the receiver got them. The log keeps those that differ between attempts; the others are the same for all. */
function headersSent(detail: DeliveryDetail, attempt: Attempt): readonly (readonly [string, string])[] {
  const host = hostOf(endpointById.value.get(detail.webhook_id)?.url ?? '')
  return [
    ...(host === undefined ? [] : [['host', host] as const]),
    ['content-type', 'application/json'],
    ...(detail.raw_body === null
      ? []
      : [['content-length', String(new TextEncoder().encode(detail.raw_body).length)] as const]),
    ['accept', '*/*'],
    ['accept-encoding', 'identity'],
    ['user-agent', 'Formwire-Webhooks/1'],
    [DELIVERY_HEADERS.event, detail.event],
    [DELIVERY_HEADERS.delivery, detail.id],
    [DELIVERY_HEADERS.timestamp, String(attempt.timestamp)],
    [DELIVERY_HEADERS.signature, attempt.signature],
  ]
}

function Headers({ detail, attempt }: { detail: DeliveryDetail; attempt: Attempt }) {
  const rows = headersSent(detail, attempt)
  return (
    <dl class="headers">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Code value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Signature({ detail, attempt }: { detail: DeliveryDetail; attempt: Attempt }) {
  if (detail.raw_body === null) return null
  const secret = secretAt(detail.webhook_id, attempt.timestamp)
  return (
    <>
      <p class="hint">
        {secret !== undefined
          ? 'Recompute the signature; the secret is the one this tab was shown.'
          : knowsSecret(detail.webhook_id)
            ? 'Recompute the signature. This attempt was signed with an earlier secret than the one this tab knows.'
            : `Recompute the signature, with the endpoint’s ${SECRET_PLACEHOLDER} in FORMWIRE_WEBHOOK_SECRET.`}
      </p>
      <Command text={signatureCommand(attempt.timestamp, detail.raw_body, secret)} what="the openssl line" />
    </>
  )
}

function OneAttempt({
  detail,
  attempt,
  isLatest,
}: {
  detail: DeliveryDetail
  attempt: Attempt
  isLatest: boolean
}) {
  const previous = detail.attempts[attempt.number - 2]
  const good = attempt.error === null
  const share = Math.min(1, attempt.duration_ms / DEADLINE_MS)
  return (
    <li class={good ? 'good' : 'bad'} data-testid={`attempt-${attempt.number}`}>
      <details open={isLatest}>
        <summary>
          <strong>Attempt {attempt.number}</strong>
          <Time at={attempt.started_at} />
          {previous ? (
            <span class="muted">
              +{span(Date.parse(attempt.started_at) - Date.parse(previous.started_at))}
            </span>
          ) : null}
          <HttpStatus status={attempt.http_status} />
          {good ? null : <span class="error-class">{attempt.error}</span>}
          <span class="duration">
            {share < SHOWN_SHARE ? null : <i aria-hidden="true" style={{ width: `${share * 100}%` }} />}
            {duration(attempt.duration_ms)}
          </span>
        </summary>
        {good ? null : <p class="hint">{explainError(attempt.error)}</p>}
        {attempt.http_status === null ? null : (
          <>
            <h4>The receiver’s answer</h4>
            {attempt.receiver_answer ? (
              <Passage value={attempt.receiver_answer} label="The receiver’s answer" mono />
            ) : (
              <p class="hint">{attempt.http_status} with nothing in it.</p>
            )}
          </>
        )}
        <h4>Headers sent</h4>
        <Headers detail={detail} attempt={attempt} />
        <h4>Signature</h4>
        <Signature detail={detail} attempt={attempt} />
      </details>
    </li>
  )
}

/** The attempts, latest first, under what is to come. */
export function AttemptTimeLine({ detail }: { detail: DeliveryDetail }) {
  const attempts = [...detail.attempts].reverse()
  return (
    <ol class="time-line">
      {detail.next_attempt_at ? (
        <li class="next">
          <strong>Attempt {detail.attempts.length + 1}</strong> <Time at={detail.next_attempt_at} />{' '}
          <span class="muted">
            <Due at={detail.next_attempt_at} />
          </span>
        </li>
      ) : null}
      {attempts.map((attempt, index) => (
        <OneAttempt key={attempt.number} detail={detail} attempt={attempt} isLatest={index === 0} />
      ))}
      {attempts.length === 0 && !detail.next_attempt_at ? <li class="none">No attempt was made.</li> : null}
    </ol>
  )
}
