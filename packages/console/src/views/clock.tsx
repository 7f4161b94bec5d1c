import { computed, signal } from '@preact/signals'
import { CallError } from '../api.ts'
import { count, day, shortTime, span, spanMs, timeOfDay } from '../format.ts'
import { link } from '../router.ts'
import { advance, advancing, clock, isManual, serverNow } from '../state/clock.ts'
import { deliveriesOf, deliveryPulse, LIVE_MS, pending } from '../state/deliveries.ts'
import { act, announce } from '../ui/announcer.tsx'
import { Field, Icon } from '../ui/controls.tsx'
import { openForm } from '../ui/dialog.tsx'
import { useRefreshing } from '../ui/loading.tsx'
import { MenuButton, type MenuItems } from '../ui/menu.tsx'
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
  const due = (pending.data.value ?? []).flatMap(({ next_attempt_at: at }) => at ?? [])
  return due.map((at) => Math.max(0, Date.parse(at) - now)).sort((a, b) => a - b)
})

/** What the last advance has done, while the clock is where it ended. */
const lastAdvance = signal<(Attempted & { words: string; at: number }) | undefined>(undefined)

/** Advances the clock. Says how far, with the day if it is another one, and what was done. */
async function advanceBy(by: string | number, words: string): Promise<string> {
  const before = day(serverNow.peek() ?? 0)
  await pending.refresh()
  const earlier = pending.data.peek() ?? []
  await advance(by)
  const at = serverNow.peek() ?? 0
  const due = earlier.filter(({ next_attempt_at: next }) => next !== null && Date.parse(next) <= at)
  const attempted = attemptsBetween(due, await deliveriesOf(due.map(({ id }) => id)))
  await pending.refresh()
  lastAdvance.value = { ...attempted, words, at }
  const to = `${day(at) === before ? '' : `${day(at)}, `}${timeOfDay(at)} UTC`
  return `Advanced by ${words}, to ${to}. ${attemptsText(attempted)}`
}

/** Quiet, because the outlook already shows it. Waits for no other advance. */
const move = async (by: string | number, words: string) =>
  advancing.peek() || (await act(() => advanceBy(by, words), String, 'quiet'))

/** What the last advance has done, or what the next one will do. */
function Outlook({ now }: { now: number }) {
  const last = lastAdvance.value
  const [next] = dueIn.value
  if (advancing.value) return <span class="advance">Advancing…</span>
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

/** What advances a manual clock: to the next attempt, by a step of the retry schedule, or by any span. */
function advanceItems(): MenuItems {
  const [next] = dueIn.peek()
  return [
    next !== undefined && {
      text: `Next attempt, in ${span(next)}`,
      icon: 'play',
      run: () => void move(next, span(next)),
    },
    ...STEPS.map(([by, text]) => ({ text: `+${text}`, run: () => void move(by, text) })),
    { text: 'Other…', run: () => void moveByOther() },
  ]
}

/** The server's clock, with what advances it if it is manual. It has its place from the start, so that nothing moves. */
export function Clock() {
  useRefreshing(isManual.value ? pending : undefined, deliveryPulse, undefined, LIVE_MS)
  const now = serverNow.value
  if (now === undefined) return <div class="clock" />
  // That the server cannot be reached is shown elsewhere.
  const error = clock.status.value === 0 ? undefined : clock.error.value
  return (
    <div class={`row clock ${advancing.value ? 'busy' : ''}`}>
      <div
        class="clock-face"
        title={isManual.value ? undefined : 'To control the time, start the server with --clock manual.'}
      >
        <time dateTime={new Date(now).toISOString()} data-testid="clock">
          <span class="muted regular">{day(now)}</span> {timeOfDay(now)}{' '}
          <span class="muted regular">UTC</span>
        </time>
      </div>
      {isManual.value && (
        <>
          <MenuButton label="Advance the clock" class="button small" items={advanceItems}>
            Advance
            <Icon name="down" />
          </MenuButton>
          <div class="caption outlook" data-testid="outlook">
            <Outlook now={now} />
          </div>
        </>
      )}
      <span class={error === undefined ? 'off-screen' : 'field-error'} role="status">
        {error ?? (advancing.value ? 'Advancing' : '')}
      </span>
    </div>
  )
}
