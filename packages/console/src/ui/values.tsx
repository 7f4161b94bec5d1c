// biome-ignore-all lint/a11y/useSemanticElements: a fieldset would announce a form control; these are named boxes of text.
import { DELIVERY_ATTEMPTS } from '@formwire/contract'
import type { Delivery, EndpointHealth } from '@formwire/contract/control'
import { explainError } from '@formwire/internal/attempt-errors'
import { escapeInvisible } from '@formwire/internal/invisible'
import { toneOf } from '@formwire/internal/status-tone'
import { type ComponentChild, type ComponentChildren, Fragment } from 'preact'
import { exactTime, healthText, relativeTime, shortTime, span } from '../format.ts'
import { serverNow } from '../state/clock.ts'

/** Maximum length of the text of a cell. The open item shows the whole text. */
const CELL_MAX = 240

/**
 * Untrusted text (title, answer, URL) on one line, truncated to fit. `bdi` keeps right-to-left text and direction marks from
 * affecting the text around it.
 */
export const Line = ({ value, class: className = '' }: { value: string; class?: string }) => (
  <bdi class={`line ${className}`} title={value.length > 24 ? value.slice(0, 1_000) : undefined}>
    {value.length > CELL_MAX ? `${value.slice(0, CELL_MAX)}…` : value}
  </bdi>
)

/** Untrusted text in full, in a box that scrolls if it is long. Focusable, so that keys can scroll it. */
export const Passage = ({ value, label, mono = false }: { value: string; label: string; mono?: boolean }) => (
  <div
    class={`box passage ${mono ? 'mono' : ''}`}
    role="group"
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    tabIndex={0}
  >
    <bdi dir="auto">{value}</bdi>
  </div>
)

/** A value to copy: an id, a key, the value of a header. */
export const Code = ({ value }: { value: string }) => (
  <code class="line" title={value.length > 24 ? value : undefined}>
    {value}
  </code>
)

const WORDS: Readonly<Record<string, string>> = {
  in_progress: 'draft',
  trashed: 'in trash',
  unpublished: 'Unpublished changes',
  unsaved: 'Unsaved changes',
}

/** A status, as a word and a colour. @param text What to show instead of the word. */
export function Badge({ state, text, title }: { state: string; text?: string; title?: string | undefined }) {
  return (
    <span class={`badge ${toneOf(state) ?? 'calm'}`} title={title}>
      {text ?? WORDS[state] ?? state}
    </span>
  )
}

/** HTTP status of a response, or `–` if there was none. */
export function HttpStatus({ status }: { status: number | null }) {
  if (status === null) return <span class="muted">–</span>
  return <span class={`http ${status >= 200 && status < 300 ? 'good' : 'bad'}`}>{status}</span>
}

/** The result of an attempt: the status of the response, or why there was none. */
export function Result({ of: { http_status, error } }: { of: Pick<Delivery, 'http_status' | 'error'> }) {
  if (http_status !== null || error === null) return <HttpStatus status={http_status} />
  return (
    <span class="error-class" title={explainError(error)}>
      {error}
    </span>
  )
}

/** Six pips, one per attempt: failed, succeeded or not made yet. */
export function Attempts({ delivery }: { delivery: Pick<Delivery, 'attempts' | 'status'> }) {
  const pips = Array.from({ length: DELIVERY_ATTEMPTS }, (_, index) => {
    if (index >= delivery.attempts) return delivery.status === 'pending' ? 'todo' : 'none'
    return delivery.status === 'delivered' && index === delivery.attempts - 1 ? 'good' : 'bad'
  })
  return (
    <span class="pips" role="img" aria-label={`${delivery.attempts} of ${DELIVERY_ATTEMPTS} attempts`}>
      {pips.map((kind, index) => (
        <i key={index} class={kind} />
      ))}
    </span>
  )
}

/**
 * How long ago an instant of the server's clock was, or how long it is until then, with the exact one in the tooltip.
 *
 * @param isRelative Whether that is shown, and not the time in UTC. @default true
 */
export function Time({ at, isRelative = true }: { at: string | number; isRelative?: boolean }) {
  const instant = typeof at === 'number' ? at : Date.parse(at)
  const now = serverNow.value ?? instant
  return (
    <time dateTime={new Date(instant).toISOString()} title={exactTime(instant)}>
      {isRelative ? relativeTime(instant, now) : shortTime(instant, now)}
    </time>
  )
}

/** An instant with how long it is until or since then. */
export const Moment = ({ at }: { at: string }) => (
  <>
    <Time at={at} isRelative={false} />
    <span class="muted">
      (<Distance at={at} />)
    </span>
  </>
)

/** Time until or since an instant, by the server's clock: `in 4 min 12 s`, `now`, `2 h ago`. */
function Distance({ at }: { at: string }) {
  const now = serverNow.value
  if (now === undefined) return null
  const ms = Date.parse(at) - now
  if (Math.abs(ms) < 500) return <>now</>
  return <>{ms > 0 ? `in ${span(ms)}` : `${span(ms)} ago`}</>
}

/** Time until an attempt. An attempt that is due starts immediately, so it is in flight. */
export function Due({ at }: { at: string }) {
  const now = serverNow.value
  if (now === undefined) return null
  return Date.parse(at) > now ? <Distance at={at} /> : <>in flight</>
}

/** A figure of a `dl`. */
export const Figure = (of: { label: string; class: string; children: ComponentChildren }) => (
  <div class={of.class}>
    <dt class="caption">{of.label}</dt>
    <dd>{of.children}</dd>
  </div>
)

/** A fact of an open item: its label, its value, and the class of the value. */
type FactRow = readonly [label: string, value: ComponentChildren, className?: string]

/** The facts of an open item. Those without a value are left out. */
export const Facts = ({ of }: { of: readonly FactRow[] }) => (
  <dl class="facts">
    {of.map(
      ([label, value, className]) =>
        value && (
          <Fragment key={label}>
            <dt class="muted">{label}</dt>
            <dd class={className}>{value}</dd>
          </Fragment>
        ),
    )}
  </dl>
)

/** The health of an endpoint: one for lists and pages. */
export const Health = ({ of }: { of: EndpointHealth }) => {
  const text = healthText(of, serverNow.value ?? 0)
  // A narrow list cuts the text.
  return <Badge state={of.state} text={text} title={of.since === null ? text : `${text}\n${of.since}`} />
}

/** Longer JSON is not highlighted, because rendering would be slow. */
const COLOURED_MAX = 40_000

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)/g

function colour(text: string): ComponentChild[] {
  const parts: ComponentChild[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon, number] = match
    if (match.index > end) parts.push(text.slice(end, match.index))
    // Each string is isolated, so that right-to-left text does not reverse the punctuation around it.
    if (string !== undefined) {
      parts.push(<bdi class={colon === undefined ? 'json-string' : 'json-key'}>{string}</bdi>, colon ?? '')
    } else parts.push(<span class={number === undefined ? 'json-word' : 'json-number'}>{whole}</span>)
    end = match.index + whole.length
  }
  parts.push(text.slice(end))
  return parts
}

/** A value as indented JSON. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = escapeInvisible(JSON.stringify(value, null, 2) ?? 'undefined')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <pre class="box json" dir="ltr" tabIndex={0} aria-label={label} role="group">
      {text.length > COLOURED_MAX ? text : colour(text)}
    </pre>
  )
}
