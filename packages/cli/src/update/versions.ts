const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/

/** Whether `latest` is a release after `current`. Pre-releases are not offered. */
export function isNewer(latest: string | null, current: string): boolean {
  const one = VERSION.exec(latest ?? '')
    ?.slice(1)
    .map(Number)
  const other = VERSION.exec(current.replace(/-.*/, ''))?.slice(1).map(Number)
  if (!one || !other) return false
  for (const [index, part] of one.entries()) {
    if (part !== other[index]) return part > (other[index] ?? 0)
  }
  return current.includes('-')
}
