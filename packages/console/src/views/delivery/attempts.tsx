import { LIMITS } from '@formwire/contract'
import type { DeliveryAttempt, DeliveryDetail } from '@formwire/contract/control'
import { explainError } from '@formwire/internal/attempt-errors'
import { escapeInvisible } from '@formwire/internal/invisible'
import { signal } from '@preact/signals'
import { type MutableRef, useRef } from 'preact/hooks'
import { byteSize, duration, span } from '../../format.ts'
import { endpointById } from '../../state/catalog.ts'
import { knowsSecret, secretAt } from '../../state/secrets.ts'
import { Button } from '../../ui/controls.tsx'
import { Command, Copy } from '../../ui/copy.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Code, Due, HttpStatus, Json, Passage, Result, Time } from '../../ui/values.tsx'
import {
  type Header,
  headersSent,
  OF_ATTEMPT,
  SECRET_PLACEHOLDER,
  signatureCommand,
  targetOf,
} from './commands.ts'

/** Smaller shares of the deadline are shown without a bar. */
const MIN_SHARE = 0.1

/** Whether payloads are shown as they are sent, in every delivery until the page is left. */
const isRaw = signal(false)

/** The body that is sent with every attempt: as indented JSON, or with the characters that are signed. */
export function Payload({ detail: { raw_body: body, payload } }: { detail: DeliveryDetail }) {
  if (body === null) return <p class="muted">The response was deleted, along with its payload.</p>
  if (!isRaw.value) return <Json value={payload} label="Payload" />
  return <Passage value={escapeInvisible(body)} label="Payload" mono />
}

/** Size of the payload, the switch between its two forms, and a copy button. */
export function PayloadTools({ body }: { body: string | null }) {
  if (body === null) return null
  return (
    <>
      <span class="hint">{byteSize(new TextEncoder().encode(body).length)}</span>
      <Button
        class="button small"
        aria-pressed={isRaw.value}
        title="Show the characters that are signed"
        run={() => {
          isRaw.value = !isRaw.value
        }}
      >
        Raw
      </Button>
      <Copy text={body} what="the payload" isIcon />
    </>
  )
}

/** Characters of a response body that the log keeps (DLV-07). */
const KEPT_OF_RESPONSE = 300

function Response({ attempt }: { attempt: DeliveryAttempt }) {
  return (
    <>
      <p class="item">
        {attempt.http_status === null ? null : <HttpStatus status={attempt.http_status} />}
        {attempt.error === null ? null : <span class="error-class">{attempt.error}</span>}
        <span class="muted">after {duration(attempt.duration_ms)}</span>
      </p>
      {attempt.http_status === null ? (
        <p class="hint">No response. {explainError(attempt.error)}</p>
      ) : attempt.receiver_answer ? (
        <>
          <Passage
            value={escapeInvisible(attempt.receiver_answer.replaceAll('\r\n', '\n'))}
            label="Response body"
            mono
          />
          {attempt.receiver_answer.length < KEPT_OF_RESPONSE ? null : (
            <p class="hint">The log keeps the first {KEPT_OF_RESPONSE} characters, and no headers.</p>
          )}
        </>
      ) : (
        <p class="hint">Empty body.</p>
      )}
    </>
  )
}

/** @param target Path and query of the request; without it, the request line is left out. */
function Headers({ rows, target }: { rows: readonly Header[]; target?: string | undefined }) {
  return (
    <>
      {target === undefined ? null : (
        <p>
          <Code value={`POST ${target}`} />
        </p>
      )}
      <dl class="box headers">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt class="muted">{name}</dt>
            <dd>
              <Code value={value} />
            </dd>
          </div>
        ))}
      </dl>
      <p class="hint">As sent. Response headers are not kept.</p>
    </>
  )
}

function Signature({
  detail,
  attempt,
  headers,
}: {
  detail: DeliveryDetail
  attempt: DeliveryAttempt
  headers: readonly Header[]
}) {
  if (detail.raw_body === null)
    return <p class="muted">The response was deleted, along with the signed payload.</p>
  const secret = secretAt(detail.webhook_id, attempt.timestamp)
  return (
    <>
      <Headers rows={headers.filter(([name]) => OF_ATTEMPT.includes(name.toLowerCase()))} />
      <p class="hint">
        {secret !== undefined
          ? 'Recompute the signature with the secret shown in this tab.'
          : knowsSecret(detail.webhook_id)
            ? 'Recompute the signature. This attempt was signed with an earlier secret than the one shown in this tab.'
            : `Recompute the signature. Set FORMWIRE_WEBHOOK_SECRET to the endpoint’s secret (${SECRET_PLACEHOLDER}).`}
      </p>
      <Command
        text={signatureCommand(attempt.timestamp, detail.raw_body, secret)}
        what="the openssl command"
      />
    </>
  )
}

/** The tab that was selected last: the next attempt of the delivery begins with it. */
type LastTab = MutableRef<string | undefined>

/** What was sent and received in one attempt. */
function AttemptTabs({
  detail,
  attempt,
  lastTab,
}: {
  detail: DeliveryDetail
  attempt: DeliveryAttempt
  lastTab: LastTab
}) {
  const url = endpointById.value.get(detail.webhook_id)?.url ?? ''
  const headers = headersSent(detail, attempt, url)
  const copy = (text: string | null, what: string) => (text ? <Copy text={text} what={what} isIcon /> : null)
  return (
    <Tabs
      label={`Attempt ${attempt.number}`}
      last={lastTab}
      tabs={[
        {
          name: 'payload',
          text: 'Payload',
          panel: () => <Payload detail={detail} />,
          aside: <PayloadTools body={detail.raw_body} />,
        },
        {
          name: 'response',
          text: 'Response',
          panel: () => <Response attempt={attempt} />,
          aside: copy(attempt.receiver_answer, 'the response body'),
        },
        {
          name: 'headers',
          text: 'Headers',
          panel: () => <Headers rows={headers} target={targetOf(url)} />,
          aside: copy(headers.map(([name, value]) => `${name}: ${value}`).join('\n'), 'the headers'),
        },
        {
          name: 'signature',
          text: 'Signature',
          panel: () => <Signature detail={detail} attempt={attempt} headers={headers} />,
          aside: copy(attempt.signature, 'the signature'),
        },
      ]}
    />
  )
}

function OneAttempt({
  detail,
  attempt,
  isLatest,
  lastTab,
}: {
  detail: DeliveryDetail
  attempt: DeliveryAttempt
  isLatest: boolean
  lastTab: LastTab
}) {
  const previous = detail.attempts[attempt.number - 2]
  const good = attempt.error === null
  // The bar is full at the deadline of an attempt (DLV-05).
  const share = Math.min(1, attempt.duration_ms / LIMITS.deliveryTimeoutMs)
  return (
    <li class={good ? 'good' : 'bad'} data-testid={`attempt-${attempt.number}`}>
      <details open={isLatest}>
        <summary class="row">
          <strong>Attempt {attempt.number}</strong>
          <Time at={attempt.started_at} />
          {previous ? (
            <span class="muted">
              +{span(Date.parse(attempt.started_at) - Date.parse(previous.started_at))}
            </span>
          ) : null}
          <Result of={attempt} />
          <span class="hint bar end duration">
            {share < MIN_SHARE ? null : <i aria-hidden="true" style={{ width: `${share * 100}%` }} />}
            {duration(attempt.duration_ms)}
          </span>
        </summary>
        {good ? null : <p class="hint">{explainError(attempt.error)}</p>}
        <AttemptTabs detail={detail} attempt={attempt} lastTab={lastTab} />
      </details>
    </li>
  )
}

/** The attempts of a delivery, latest first, below the next one. */
export function Attempts({ detail }: { detail: DeliveryDetail }) {
  const attempts = [...detail.attempts].reverse()
  const lastTab = useRef<string | undefined>(undefined)
  return (
    <ol class="stack timeline">
      {detail.next_attempt_at ? (
        <li class="row next">
          <strong>Attempt {detail.attempts.length + 1}</strong>
          <Time at={detail.next_attempt_at} />
          <span class="muted">
            <Due at={detail.next_attempt_at} />
          </span>
        </li>
      ) : null}
      {attempts.map((attempt, index) => (
        <OneAttempt
          key={attempt.number}
          detail={detail}
          attempt={attempt}
          isLatest={index === 0}
          lastTab={lastTab}
        />
      ))}
      {attempts.length === 0 && !detail.next_attempt_at ? <li class="none">No attempts.</li> : null}
    </ol>
  )
}
