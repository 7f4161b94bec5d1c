import { computed, signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { CallError } from '../api.ts'
import { count, day, shortTime, span, timeOfDay } from '../format.ts'
import { advance, advancing, clock, isManual, serverNow } from '../state/clock.ts'
import { deliveryLog } from '../state/deliveries.ts'
import { act, announce } from '../ui/announcer.tsx'
import { Button } from '../ui/controls.tsx'
import { LocalTime } from '../ui/values.tsx'

/** The delays of the retry schedule (DLV-06). */
const STEPS = [
  ['1m', '1 min'],
  ['5m', '5 min'],
  ['30m', '30 min'],
  ['2h', '2 h'],
  ['12h', '12 h'],
] as const

/** Says how far the clock has advanced, with the day if it is another one. */
function advanced(words: string): () => string {
  const before = day(serverNow.peek() ?? 0)
  return () => {
    const now = serverNow.peek() ?? 0
    const to = `${timeOfDay(now)} UTC`
    return `Advanced by ${words}, to ${day(now) === before ? to : `${day(now)}, ${to}`}`
  }
}

async function move(by: string | number, words: string): Promise<void> {
  // Quiet, because the clock beside the buttons already shows it.
  await act(() => advance(by), advanced(words), 'quiet')
}

/** Returns the milliseconds until the earliest pending attempt, or `undefined` if there is none. */
function toNextAttempt(now: number): number | undefined {
  let earliest = Number.POSITIVE_INFINITY
  for (const delivery of deliveryLog.list.value) {
    if (delivery.next_attempt_at) earliest = Math.min(earliest, Date.parse(delivery.next_attempt_at))
  }
  return earliest === Number.POSITIVE_INFINITY ? undefined : Math.max(0, earliest - now)
}

/** Number of attempts that an advance waits for. */
const inFlight = computed(() => {
  const now = serverNow.value
  if (now === undefined || advancing.value === undefined) return 0
  return deliveryLog.list.value.filter(({ next_attempt_at: due }) => due !== null && Date.parse(due) <= now)
    .length
})

/** How far an advance has come. Shown only if it takes a moment. */
function Progress({ now }: { now: number }) {
  const current = advancing.value
  if (!current) return null
  const { from, to } = current
  const share = to === undefined || to <= from ? undefined : Math.min(1, (now - from) / (to - from))
  return (
    <span class="hint bar advance">
      <progress aria-label="Advancing the clock" max={1} value={share} />
      <span>
        {to === undefined ? 'Advancing' : `Advancing to ${shortTime(to, now)}`}
        {inFlight.value > 0 ? `, ${count(inFlight.value, 'attempt')} in flight` : ''}
      </span>
    </span>
  )
}

/** Why the server refused the typed span. */
const refusedSpan = signal<string | undefined>(undefined)

/** Advances by a typed span. A refused one is reported below the bar until it is changed. */
function CustomStep({ isBusy }: { isBusy: boolean }) {
  const [by, setBy] = useState('')
  const submit = async (text: string): Promise<void> => {
    try {
      await advance(text)
      announce(advanced(text)(), 'quiet')
      setBy('')
    } catch (cause) {
      // The token prompt already shows a 401.
      if (!(cause instanceof CallError)) throw cause
      if (cause.status !== 401) refusedSpan.value = cause.message
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        refusedSpan.value = undefined
        const text = by.trim()
        // The server would suggest milliseconds, which a program can send, but not as a text.
        if (/^[\d.]+$/.test(text)) refusedSpan.value = `Add a unit to ${text}, such as 90s, 5m or 3d.`
        else if (text !== '' && !isBusy) void submit(text)
      }}
    >
      <label>
        <span class="off-screen">Advance by, such as 3d or 90s</span>
        <input
          placeholder="Other: 3d"
          value={by}
          aria-invalid={refusedSpan.value !== undefined}
          aria-describedby={refusedSpan.value === undefined ? undefined : 'clock-error'}
          onInput={(event) => {
            setBy(event.currentTarget.value)
            refusedSpan.value = undefined
          }}
          readOnly={isBusy}
        />
      </label>
    </form>
  )
}

function Steps({ now }: { now: number }) {
  const next = toNextAttempt(now)
  const isBusy = advancing.value !== undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form control group with a legend on screen.
    <div class="row actions steps" role="group" aria-label="Advance the clock">
      {STEPS.map(([value, text]) => (
        <Button key={value} class="button small" isOff={isBusy} run={() => move(value, text)}>
          +{text}
        </Button>
      ))}
      <Button
        class="button small"
        isOff={isBusy || next === undefined}
        run={() => next !== undefined && void move(next, span(next))}
        title={next === undefined ? 'No pending attempt' : `The next attempt is due in ${span(next)}`}
      >
        Skip to next attempt
      </Button>
      <CustomStep isBusy={isBusy} />
      <span class="off-screen" role="status">
        {isBusy ? 'Advancing' : ''}
      </span>
    </div>
  )
}

/** The server's clock, with buttons to advance it if it is manual. */
export function ClockBar() {
  const now = serverNow.value
  if (now === undefined) return <header class="row clock-bar" />
  return (
    <header class={`row clock-bar ${advancing.value ? 'busy' : ''}`}>
      <div class="clock-face">
        <span class="caption clock-mode">{isManual.value ? 'Manual clock' : 'Real clock'}</span>
        <time dateTime={new Date(now).toISOString()} data-testid="clock">
          <span class="muted regular">{day(now)}</span> {timeOfDay(now)}{' '}
          <span class="muted regular">UTC</span>
        </time>
        <LocalTime at={now} />
      </div>
      {isManual.value ? (
        <Steps now={now} />
      ) : (
        <span class="hint">
          Start the server with <code>--clock manual</code> to control the time
        </span>
      )}
      <Progress now={now} />
      <span class="field-error clock-error" id="clock-error" role="status">
        {refusedSpan.value ?? (clock.status.value === 0 ? undefined : clock.error.value)}
      </span>
    </header>
  )
}
