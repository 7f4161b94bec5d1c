import { computed, signal } from '@preact/signals'
import { CallError } from '../api.ts'
import { count, day, shortTime, span, spanMs, timeOfDay } from '../format.ts'
import { link } from '../router.ts'
import { advance, advancing, clock, isManual, serverNow } from '../state/clock.ts'
import { deliveryLog } from '../state/deliveries.ts'
import { act, announce } from '../ui/announcer.tsx'
import { Button, Field } from '../ui/controls.tsx'
import { openForm } from '../ui/dialog.tsx'
import { LocalTime } from '../ui/values.tsx'
import { type Attempted, attemptsBetween, attemptsText } from './advance-outcome.ts'

/** The steps of the retry schedule (DLV-06). */
const STEPS = [
  ['1m', '1 min'],
  ['5m', '5 min'],
  ['30m', '30 min'],
  ['2h', '2 h'],
  ['12h', '12 h'],
] as const

/** Milliseconds until each pending attempt, the next one first. */
const dueIn = computed(() => {
  const now = serverNow.value ?? 0
  const due = deliveryLog.list.value.flatMap(({ next_attempt_at: at }) => at ?? [])
  return due.map((at) => Math.max(0, Date.parse(at) - now)).sort((a, b) => a - b)
})

/** What the last advance has done, while the clock is where it ended. */
const lastAdvance = signal<(Attempted & { words: string; at: number }) | undefined>(undefined)

/** How long the stream may be behind the clock. */
const BEHIND_MS = 2_000
const CHECK_MS = 50

/** Advances the clock and waits until the log has what came due. Says how far, with the day if it is another one, and what was done. */
async function advanceBy(by: string | number, words: string): Promise<string> {
  const before = day(serverNow.peek() ?? 0)
  const earlier = deliveryLog.list.peek()
  await advance(by)
  for (let waited = 0; waited < BEHIND_MS && dueIn.peek()[0] === 0; waited += CHECK_MS)
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS))
  const at = serverNow.peek() ?? 0
  const attempted = attemptsBetween(earlier, deliveryLog.list.peek())
  lastAdvance.value = { ...attempted, words, at }
  const to = `${day(at) === before ? '' : `${day(at)}, `}${timeOfDay(at)} UTC`
  return `Advanced by ${words}, to ${to}. ${attemptsText(attempted)}`
}

/** Quiet, because the bar already shows it. */
const move = (by: string | number, words: string) => act(() => advanceBy(by, words), String, 'quiet')

/** How far an advance has come. Shown only if it takes a moment. */
function Progress({ now, from, to }: { now: number; from: number; to: number | undefined }) {
  const share = to === undefined || to <= from ? undefined : Math.min(1, (now - from) / (to - from))
  // Those that the advance waits for.
  const inFlight = dueIn.value.filter((ms) => ms === 0).length
  return (
    <span class="bar tight advance">
      <progress aria-label="Advancing the clock" max={1} value={share} />
      {to === undefined ? 'Advancing' : `Advancing to ${shortTime(to, now)}`}
      {inFlight > 0 ? `, ${count(inFlight, 'attempt')} in flight` : ''}
    </span>
  )
}

/** What the last advance has done, or what the next one will do. */
function Outlook({ now }: { now: number }) {
  const last = lastAdvance.value
  const [next] = dueIn.value
  if (advancing.value) return <Progress now={now} {...advancing.value} />
  if (last?.at !== now)
    return next === undefined
      ? 'No attempts ahead'
      : `${count(dueIn.value.length, 'attempt')} ahead, next at ${shortTime(now + next, now)}`
  const ids = last.ids.join(',')
  return (
    <>
      +{last.words}: {attemptsText(last)}
      {ids && ' · '}
      {ids && <a href={link(['deliveries'], { ids })}>view</a>}
    </>
  )
}

/** Asks for another span, and advances by it. */
async function moveByOther(): Promise<void> {
  const done = await openForm(
    'Advance the clock',
    'Advance',
    async (values) => {
      const text = String(values.get('by')).trim()
      const ms = spanMs(text)
      if (ms !== undefined) return await advanceBy(text, span(ms))
      throw new CallError(422, 'Enter a number with a unit, such as 90s, 5m or 3d.', 'by')
    },
    <Field label="Advance by" name="by" required placeholder="3d" />,
  )
  if (done !== undefined) announce(done, 'quiet')
}

/** The server's clock if it is manual, with what advances it. */
export function ClockBar() {
  const now = serverNow.value
  if (now === undefined || !isManual.value) return null
  const [next] = dueIn.value
  const isBusy = advancing.value !== undefined
  // That the server cannot be reached is shown elsewhere.
  const error = clock.status.value === 0 ? undefined : clock.error.value
  return (
    <header class={`row clock-bar ${isBusy ? 'busy' : ''}`}>
      <div class="clock-face">
        <time dateTime={new Date(now).toISOString()} data-testid="clock">
          <span class="muted regular">{day(now)}</span> {timeOfDay(now)}{' '}
          <span class="muted regular">UTC</span>
        </time>{' '}
        <LocalTime at={now} />
        <div class="hint" data-testid="outlook">
          <Outlook now={now} />
        </div>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form control group with a legend on screen. */}
      <div class="bar tight end" role="group" aria-label="Advance the clock">
        {STEPS.map(([by, text]) => (
          <Button key={by} class="button small plain" isOff={isBusy} run={() => move(by, text)}>
            +{text}
          </Button>
        ))}
        <Button class="button small plain" isOff={isBusy} run={moveByOther}>
          Other
        </Button>
      </div>
      <Button
        class="button small"
        isOff={isBusy || next === undefined}
        aria-label="Skip to next attempt"
        run={() => next !== undefined && void move(next, span(next))}
        title={next === undefined ? 'No pending attempt' : `The next attempt is due in ${span(next)}`}
      >
        Next <span class="wide-only">attempt</span>
      </Button>
      <span class={error === undefined ? 'off-screen' : 'field-error'} role="status">
        {error ?? (isBusy ? 'Advancing' : '')}
      </span>
    </header>
  )
}

/** A real clock, which nothing can advance. */
export function ClockChip() {
  const now = serverNow.value
  if (now === undefined || isManual.value) return null
  return (
    <details>
      <summary class="caption clock-chip" data-testid="clock">
        {timeOfDay(now)} UTC
      </summary>
      <p class="hint">
        Real clock, {day(now)}. <LocalTime at={now} /> Start the server with <code>--clock manual</code> to
        control the time.
      </p>
    </details>
  )
}
