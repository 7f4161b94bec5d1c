/** @jsxImportSource preact */
import { DELIVERY_HEADERS, LIMITS } from '@formwire/contract'
import type { DeliveryAttempt, DeliveryDetail } from '@formwire/contract/control'
import { duration, span } from '../format.ts'
import { SECRET_PLACEHOLDER, signatureCommand } from '../signature-command.ts'
import { endpointById } from '../state/catalog.ts'
import { knowsSecret, secretAt } from '../state/secrets.ts'
import { HttpStatus } from '../ui/badge.tsx'
import { Command } from '../ui/copy.tsx'
import { Code, Passage } from '../ui/text.tsx'
import { Due, Time } from '../ui/time.tsx'
import { explainError } from './attempt-errors.ts'

/** Smaller shares of the deadline are shown without a bar. */
const MIN_SHARE = 0.1

/** Returns `undefined` if the endpoint was deleted or, in a snapshot, its URL is invalid. */
function hostOf(url: string): string | undefined {
  try {
    return new URL(url).host
  } catch {
    return undefined
  }
}

/** The headers that the receiver got. The log stores those that differ between attempts; the others are constant. */
function headersSent(
  detail: DeliveryDetail,
  attempt: DeliveryAttempt,
): readonly (readonly [string, string])[] {
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

function Headers({ detail, attempt }: { detail: DeliveryDetail; attempt: DeliveryAttempt }) {
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

function Signature({ detail, attempt }: { detail: DeliveryDetail; attempt: DeliveryAttempt }) {
  if (detail.raw_body === null) return null
  const secret = secretAt(detail.webhook_id, attempt.timestamp)
  return (
    <>
      <p class="hint">
        {secret !== undefined
          ? 'Recompute the signature with the secret shown in this tab.'
          : knowsSecret(detail.webhook_id)
            ? 'Recompute the signature. This attempt was signed with an earlier secret than the one shown in this tab.'
            : `Recompute the signature. Set FORMWIRE_WEBHOOK_SECRET to the endpoint’s secret, ${SECRET_PLACEHOLDER}.`}
      </p>
      <Command
        text={signatureCommand(attempt.timestamp, detail.raw_body, secret)}
        what="the openssl command"
      />
    </>
  )
}

function OneAttempt({
  detail,
  attempt,
  isLatest,
}: {
  detail: DeliveryDetail
  attempt: DeliveryAttempt
  isLatest: boolean
}) {
  const previous = detail.attempts[attempt.number - 2]
  const good = attempt.error === null
  // The bar is full at the deadline of an attempt (DLV-05).
  const share = Math.min(1, attempt.duration_ms / LIMITS.deliveryTimeoutMs)
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
            {share < MIN_SHARE ? null : <i aria-hidden="true" style={{ width: `${share * 100}%` }} />}
            {duration(attempt.duration_ms)}
          </span>
        </summary>
        {good ? null : <p class="hint">{explainError(attempt.error)}</p>}
        {attempt.http_status === null ? null : (
          <>
            <h4>Response body</h4>
            {attempt.receiver_answer ? (
              <Passage value={attempt.receiver_answer} label="Response body" mono />
            ) : (
              <p class="hint">Empty body.</p>
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

/** The attempts of a delivery, latest first, below the next one. */
export function AttemptTimeline({ detail }: { detail: DeliveryDetail }) {
  const attempts = [...detail.attempts].reverse()
  return (
    <ol class="timeline">
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
      {attempts.length === 0 && !detail.next_attempt_at ? <li class="none">No attempts.</li> : null}
    </ol>
  )
}
