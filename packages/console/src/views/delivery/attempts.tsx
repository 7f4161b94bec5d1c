import { LIMITS } from '@formwire/contract'
import type { DeliveryAttempt, DeliveryDetail } from '@formwire/contract/control'
import { explainError } from '@formwire/internal/attempt-errors'
import { escapeInvisible } from '@formwire/internal/invisible'
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { byteSize, duration, span } from '../../format.ts'
import { endpointById } from '../../state/catalog.ts'
import { knowsSecret, secretAt } from '../../state/secrets.ts'
import { Button } from '../../ui/controls.tsx'
import { Command, Copy } from '../../ui/copy.tsx'
import { searchWords } from '../../ui/filters.tsx'
import { Code, Due, Json, LocalTime, Passage, Result, Time } from '../../ui/values.tsx'
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
function Payload({ detail: { raw_body: body, payload } }: { detail: DeliveryDetail }) {
  if (body === null) return <p class="muted">The response was deleted, along with its payload.</p>
  if (!isRaw.value) return <Json value={payload} label="Payload" />
  return <Passage value={escapeInvisible(body)} label="Payload" mono />
}

/** The switch between the two forms of the payload, and a copy button. */
function PayloadTools({ body }: { body: string | null }) {
  if (body === null) return null
  return (
    <>
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
  const body = attempt.receiver_answer
  return (
    <>
      {attempt.error === null ? null : <p class="hint">{explainError(attempt.error)}</p>}
      {attempt.http_status === null ? null : body ? (
        <>
          <Passage value={escapeInvisible(body.replaceAll('\r\n', '\n'))} label="Response body" mono />
          {body.length < KEPT_OF_RESPONSE ? null : (
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

/** Sections that are open, in every delivery until the page is left. */
const open = signal<ReadonlySet<string>>(new Set(['Payload']))

/** A part of a delivery below its name, which folds it. */
function Section({
  name,
  hint,
  tools,
  isOpen = open.value.has(name),
  toggle = () => {
    open.value = new Set(isOpen ? [...open.value].filter((one) => one !== name) : [...open.value, name])
  },
  children,
}: {
  name: string
  hint?: ComponentChildren
  /** What is at the end of its first line while it is open, such as a copy button. */
  tools?: ComponentChildren
  isOpen?: boolean
  toggle?: () => void
  children: () => ComponentChildren
}) {
  return (
    // The browser also reports what was opened here.
    <details class="section" open={isOpen} onToggle={(event) => event.currentTarget.open !== isOpen && toggle()}>
      <summary class="bar">
        <h3>{name}</h3>
        {hint}
      </summary>
      {isOpen ? (
        <>
          <div class="bar tight section-tools">{tools}</div>
          <div class="stack">{children()}</div>
        </>
      ) : null}
    </details>
  )
}

/** Returns whether a search, which looks at the last response body only, found a word in it. */
const isFound = ({ receiver_answer: body }: DeliveryAttempt): boolean =>
  body !== null &&
  searchWords()
    .split(/\s+/)
    .some((word) => word !== '' && body.toLowerCase().includes(word))

/** The response to an attempt: open if it shows why that failed, or what was searched for. */
function ResponseSection({ attempt, isLatest }: { attempt: DeliveryAttempt; isLatest: boolean }) {
  const [chosen, choose] = useState<boolean | undefined>(undefined)
  const place = useRef<HTMLDivElement>(null)
  const isMatch = isLatest && isFound(attempt)
  const isOpen = chosen ?? (attempt.error !== null || isMatch)
  useLayoutEffect(() => {
    if (isMatch) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isMatch])
  return (
    <div ref={place}>
      <Section
        name="Response"
        hint={
          <>
            <Result of={attempt} />
            <span class="hint">
              attempt {attempt.number}, {duration(attempt.duration_ms)}
            </span>
          </>
        }
        tools={
          attempt.receiver_answer ? (
            <Copy text={attempt.receiver_answer} what="the response body" isIcon />
          ) : null
        }
        isOpen={isOpen}
        toggle={() => choose(!isOpen)}
      >
        {() => <Response attempt={attempt} />}
      </Section>
    </div>
  )
}

/** What an attempt received and what it sent. @param attempt `undefined` before the first one has ended. */
function Sections({ detail, attempt }: { detail: DeliveryDetail; attempt: DeliveryAttempt | undefined }) {
  const body = detail.raw_body
  const url = endpointById.value.get(detail.webhook_id)?.url ?? ''
  const headers = attempt && headersSent(detail, attempt, url)
  const copied = headers?.map(([name, value]) => `${name}: ${value}`).join('\n')
  return (
    <>
      {attempt ? (
        <ResponseSection attempt={attempt} isLatest={attempt.number === detail.attempts.length} />
      ) : null}
      <Section
        name="Payload"
        hint={
          body === null ? null : <span class="hint">{byteSize(new TextEncoder().encode(body).length)}</span>
        }
        tools={<PayloadTools body={body} />}
      >
        {() => <Payload detail={detail} />}
      </Section>
      {attempt && headers && copied ? (
        <>
          <Section name="Headers" tools={<Copy text={copied} what="the headers" isIcon />}>
            {() => <Headers rows={headers} target={targetOf(url)} />}
          </Section>
          <Section name="Signature" tools={<Copy text={attempt.signature} what="the signature" isIcon />}>
            {() => <Signature detail={detail} attempt={attempt} headers={headers} />}
          </Section>
        </>
      ) : null}
    </>
  )
}

/** An attempt in the timeline: it shows what was sent and received then. */
function OneAttempt({
  attempt,
  previous,
  isShown,
  show,
}: {
  attempt: DeliveryAttempt
  previous: DeliveryAttempt | undefined
  isShown: boolean
  show: () => void
}) {
  // The bar is full at the deadline of an attempt (DLV-05).
  const share = Math.min(1, attempt.duration_ms / LIMITS.deliveryTimeoutMs)
  return (
    <li class={attempt.error === null ? 'good' : 'bad'} data-testid={`attempt-${attempt.number}`}>
      <button type="button" class="row attempt" aria-pressed={isShown} onClick={show}>
        <strong>Attempt {attempt.number}</strong>
        <Time at={attempt.started_at} />
        {previous ? (
          <span class="muted">+{span(Date.parse(attempt.started_at) - Date.parse(previous.started_at))}</span>
        ) : null}
        <Result of={attempt} />
        <span class="hint bar end duration">
          {share < MIN_SHARE ? null : <i aria-hidden="true" style={{ width: `${share * 100}%` }} />}
          {duration(attempt.duration_ms)}
        </span>
      </button>
    </li>
  )
}

/** The attempts of a delivery, latest first, below the next one, and what the shown one sent and received: the latest at first. */
export function Attempts({ detail }: { detail: DeliveryDetail }) {
  const [chosen, choose] = useState<number | undefined>(undefined)
  const { attempts, next_attempt_at: next } = detail
  const shown = attempts[(chosen ?? attempts.length) - 1]
  return (
    <>
      <ol class="stack timeline">
        {next ? (
          <li class="row next">
            <strong>Attempt {attempts.length + 1}</strong>
            <span data-testid="next-attempt">
              <Time at={next} />{' '}
              <span class="muted">
                (<Due at={next} />)
              </span>
            </span>
            <LocalTime at={next} />
          </li>
        ) : null}
        {[...attempts].reverse().map((attempt) => (
          <OneAttempt
            key={attempt.number}
            attempt={attempt}
            previous={attempts[attempt.number - 2]}
            isShown={attempt === shown}
            show={() => choose(attempt.number)}
          />
        ))}
        {attempts.length === 0 && !next ? <li class="none">No attempts.</li> : null}
      </ol>
      <Sections detail={detail} attempt={shown} />
    </>
  )
}
