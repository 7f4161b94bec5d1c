import { day, hasLocalTime, localTime, shortTime, span, timeOfDay } from '../format.ts'
import { serverNow } from '../state/clock.ts'

/** An instant of the server's clock in UTC, with the full date and the local time in the tooltip. */
export function Time({ at }: { at: string | number }) {
  const instant = typeof at === 'number' ? at : Date.parse(at)
  const local = hasLocalTime(instant) ? ` (${localTime(instant)} local time)` : ''
  const text = shortTime(instant, serverNow.value ?? instant)
  return (
    <time
      dateTime={new Date(instant).toISOString()}
      title={`${day(instant)}, ${timeOfDay(instant)} UTC${local}`}
    >
      {text}
      {/* A list has no room for it. */}
      {text.includes(':') ? null : <span class="time-of-day"> {timeOfDay(instant).slice(0, 5)}</span>}
    </time>
  )
}

/** The same instant by the clock of the browser. Empty where that is UTC. */
export function LocalTime({ at }: { at: string | number }) {
  const instant = typeof at === 'number' ? at : Date.parse(at)
  return hasLocalTime(instant) ? <span class="hint nowrap">{localTime(instant)} local</span> : null
}

/** Time until or since an instant, by the server's clock: `in 4 min 12 s`, `now`, `2 h ago`. */
export function Distance({ at }: { at: string }) {
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
