/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { day, span, timeOfDay } from '../format.ts'
import { advance, advancing, clock, isManual, serverNow } from '../state/clock.ts'
import { deliveryLog } from '../state/deliveries.ts'
import { act } from '../ui/act.ts'

/** The delays of the retry schedule (DLV-06). */
const STEPS = [
  ['1m', '1 min'],
  ['5m', '5 min'],
  ['30m', '30 min'],
  ['2h', '2 h'],
  ['12h', '12 h'],
] as const

async function move(by: string | number, words: string): Promise<void> {
  await act(
    () => advance(by),
    () => `Advanced by ${words}, to ${timeOfDay(serverNow.peek() ?? 0)} UTC`,
    // The clock beside the buttons already shows it.
    'quiet',
  )
}

/** Returns the milliseconds until the earliest pending attempt, or `undefined` if there is none. */
function toNextAttempt(now: number): number | undefined {
  let earliest = Number.POSITIVE_INFINITY
  for (const delivery of deliveryLog.list.value) {
    if (delivery.next_attempt_at) earliest = Math.min(earliest, Date.parse(delivery.next_attempt_at))
  }
  return earliest === Number.POSITIVE_INFINITY ? undefined : Math.max(0, earliest - now)
}

function Steps({ now }: { now: number }) {
  const [by, setBy] = useState('')
  const next = toNextAttempt(now)
  const busy = advancing.value
  return (
    <form
      class="steps"
      aria-label="Advance the clock"
      onSubmit={(event) => {
        event.preventDefault()
        if (by.trim() !== '') void move(by.trim(), by.trim()).then(() => setBy(''))
      }}
    >
      {STEPS.map(([value, text]) => (
        <button
          key={value}
          type="button"
          class="button small"
          disabled={busy}
          onClick={() => void move(value, text)}
        >
          +{text}
        </button>
      ))}
      <button
        type="button"
        class="button small"
        disabled={busy || next === undefined}
        onClick={() => void move(next ?? 0, span(next ?? 0))}
        title={next === undefined ? 'No pending attempt' : `The next attempt is due in ${span(next)}`}
      >
        Skip to next attempt
      </button>
      <label>
        <span class="off-screen">Advance by, such as 3d or 90s</span>
        <input
          size={5}
          placeholder="3d"
          value={by}
          onInput={(event) => setBy(event.currentTarget.value)}
          disabled={busy}
        />
      </label>
      <span class="off-screen" role="status">
        {busy ? 'Advancing' : ''}
      </span>
    </form>
  )
}

/** The server's clock, with buttons to advance it if it is manual. */
export function ClockBar() {
  const now = serverNow.value
  if (now === undefined) return <div class="clock-bar" />
  return (
    <div class={`clock-bar ${advancing.value ? 'busy' : ''}`}>
      <div class="clock-face">
        <span class="clock-mode">{isManual.value ? 'Manual clock' : 'Real clock'}</span>
        <time dateTime={new Date(now).toISOString()} data-testid="clock">
          <span class="muted">{day(now)}</span> {timeOfDay(now)} <span class="muted">UTC</span>
        </time>
      </div>
      {isManual.value ? (
        <Steps now={now} />
      ) : (
        <span class="hint">
          Start the server with <code>--clock manual</code> to control the time
        </span>
      )}
      <span class="clock-error" role="status">
        {clock.error.value}
      </span>
    </div>
  )
}
