/** The health of an endpoint, as the control API reports it. */
type Health = { readonly state: string; readonly since: string | null; readonly not_sent: number }

/** Returns a health in words: `failing since 12:00:03`, `paused since 19 Nov (3 not sent)`, `never used`. */
export function healthText(health: Health, timeText: (at: string) => string): string {
  const { state, since, not_sent: missed } = health
  const from = since === null ? '' : ` since ${timeText(since)}`
  const notSent = missed === 0 ? '' : ` (${String(missed).replace(/\B(?=(?:\d{3})+$)/g, ',')} not sent)`
  return `${state === 'unused' ? 'never used' : state}${from}${notSent}`
}
