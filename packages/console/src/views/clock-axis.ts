/** The steps of the retry schedule (DLV-06), evenly spaced on an axis from now to a day ahead. */
export const AXIS = [
  { ms: 60_000, by: '1m', text: '1 min' },
  { ms: 300_000, by: '5m', text: '5 min' },
  { ms: 1_800_000, by: '30m', text: '30 min' },
  { ms: 7_200_000, by: '2h', text: '2 h' },
  { ms: 43_200_000, by: '12h', text: '12 h' },
] as const

export const AXIS_END_MS = 86_400_000

const POINTS = [0, ...AXIS.map(({ ms }) => ms), AXIS_END_MS]
const SEGMENTS = POINTS.length - 1

/** Returns the place of a time ahead on the axis, from 0 to 1. */
export function placeOf(ms: number): number {
  const at = Math.min(
    SEGMENTS - 1,
    POINTS.findLastIndex((point) => point <= ms),
  )
  const [from = 0, to = 0] = POINTS.slice(at)
  return Math.min(1, (at + (ms - from) / (to - from)) / SEGMENTS)
}

/** Returns the time ahead of a place on the axis: whole seconds up to five minutes, then whole minutes. */
export function msAt(place: number): number {
  const along = Math.min(1, Math.max(0, place)) * SEGMENTS
  const at = Math.min(SEGMENTS - 1, Math.floor(along))
  const [from = 0, to = 0] = POINTS.slice(at)
  const unit = at < 2 ? 1_000 : 60_000
  return Math.round((from + (along - at) * (to - from)) / unit) * unit
}

/** Returns the time ahead that a key moves to, `undefined` for other keys. Arrow keys move from stop to stop, never below 0. */
export function stopBy(key: string, ms: number, stops: readonly number[]): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return AXIS_END_MS
  if (/^Arrow(?:Right|Up)$/.test(key)) return Math.min(AXIS_END_MS, ...stops.filter((stop) => stop > ms))
  return /^Arrow/.test(key) ? Math.max(0, ...stops.filter((stop) => stop < ms)) : undefined
}
