import type { DeliveryAttempt, DeliveryDetail } from '@formwire/contract/control'
import { explainError } from '@formwire/internal/attempt-errors'
import { escapeInvisible } from '@formwire/internal/invisible'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { byteSize, duration, span } from '../../format.ts'
import { endpointById } from '../../state/catalog.ts'
import { Button, Icon } from '../../ui/controls.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Code, Due, Json, Passage, Result, Time } from '../../ui/values.tsx'
import { type Header, headersSent, targetOf } from './commands.ts'

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

export const HeaderList = ({ rows }: { rows: readonly Header[] }) => (
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
)

interface SectionProps {
  readonly name: string
  readonly hint?: ComponentChildren
  /** What is at the end of its first line while it is open, such as a copy button. */
  readonly tools: ComponentChildren
  readonly isOpen?: boolean
  readonly children: () => ComponentChildren
}

/** A part of an open item below its name, which folds it. @param isOpen Whether it is open until that is chosen. @default false */
export function Section({ name, hint, tools, isOpen: isOpenAtFirst = false, children }: SectionProps) {
  const [chosen, choose] = useState<boolean | undefined>(undefined)
  const isOpen = chosen ?? isOpenAtFirst
  return (
    // The event also comes after a change by the page.
    <details
      class="section"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => open !== isOpen && choose(open)}
    >
      <summary class="bar">
        <Icon name="down" />
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

/**
 * What an attempt received, open if it shows why that failed, and what it sent.
 *
 * @param attempt `undefined` before the first one has ended.
 */
function Sections({ detail, attempt }: { detail: DeliveryDetail; attempt: DeliveryAttempt | undefined }) {
  const body = detail.raw_body
  const url = endpointById.value.get(detail.webhook_id)?.url ?? ''
  const headers = attempt && headersSent(detail, attempt, url)
  const target = targetOf(url)
  const copy = (text: string | null, what: string) => (text ? <Copy text={text} what={what} isIcon /> : null)
  return (
    <>
      {attempt ? (
        <Section
          name="Response"
          isOpen={attempt.error !== null}
          hint={
            <>
              <Result of={attempt} />
              <span class="hint">
                attempt {attempt.number}, {duration(attempt.duration_ms)}
              </span>
            </>
          }
          tools={copy(attempt.receiver_answer, 'the response body')}
        >
          {() => <Response attempt={attempt} />}
        </Section>
      ) : null}
      {/* As indented JSON. The button copies the characters that are signed. */}
      <Section
        name="Payload"
        isOpen
        hint={body && <span class="hint">{byteSize(new TextEncoder().encode(body).length)}</span>}
        tools={copy(body, 'the payload')}
      >
        {() =>
          body === null ? (
            <p class="muted">The response was deleted, along with its payload.</p>
          ) : (
            <Json value={detail.payload} label="Payload" />
          )
        }
      </Section>
      {attempt && headers ? (
        <Section
          name="Headers"
          tools={copy(headers.map(([name, value]) => `${name}: ${value}`).join('\n'), 'the headers')}
        >
          {() => (
            <>
              {target && <Code value={`POST ${target}`} />}
              <HeaderList rows={headers} />
              <p class="hint">As sent. Response headers are not kept.</p>
            </>
          )}
        </Section>
      ) : null}
    </>
  )
}

/** The attempts of a delivery, latest first, below the next one, and what the chosen one sent and received: the latest at first. */
export function Attempts({ detail }: { detail: DeliveryDetail }) {
  const { attempts, next_attempt_at: next } = detail
  const [chosen, choose] = useState<number | undefined>(undefined)
  const shown = attempts[(chosen ?? attempts.length) - 1]
  return (
    <>
      <ol class="stack timeline">
        {next ? (
          <li class="next">
            <div class="row attempt">
              <strong>Attempt {attempts.length + 1}</strong>
              <span data-testid="next-attempt">
                <Time at={next} isRelative={false} />{' '}
                <span class="muted">
                  (<Due at={next} />)
                </span>
              </span>
            </div>
          </li>
        ) : null}
        {[...attempts].reverse().map((attempt) => {
          const { number, started_at: start, duration_ms: ms } = attempt
          const previous = attempts[number - 2]
          return (
            <li
              key={number}
              class={attempt.error === null ? 'good' : 'bad'}
              data-testid={`attempt-${number}`}
            >
              <Button class="row attempt" aria-pressed={attempt === shown} run={() => choose(number)}>
                <strong>Attempt {number}</strong>
                <Time at={start} isRelative={false} />
                {previous ? (
                  <span class="muted">+{span(Date.parse(start) - Date.parse(previous.started_at))}</span>
                ) : null}
                <Result of={attempt} />
                <span class="hint end">{duration(ms)}</span>
              </Button>
            </li>
          )
        })}
        {attempts.length === 0 && !next ? <li class="none">No attempts.</li> : null}
      </ol>
      <Sections detail={detail} attempt={shown} />
    </>
  )
}
