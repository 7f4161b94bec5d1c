import { signal } from '@preact/signals'

/**
 * Secrets that were shown in this tab, by endpoint id, with the Unix second from which each signs. In memory only, so that a reload
 * removes them: a secret is shown only once.
 */
const known = signal<ReadonlyMap<number, { secret: string; since: number }>>(new Map())

export function rememberSecret(endpointId: number, secret: string, nowMs: number): void {
  known.value = new Map(known.peek()).set(endpointId, { secret, since: Math.floor(nowMs / 1000) })
}

/** Returns the secret that signed at this Unix second, if it was shown in this tab. */
export function secretAt(endpointId: number, timestamp: number): string | undefined {
  const shown = known.value.get(endpointId)
  return shown && timestamp >= shown.since ? shown.secret : undefined
}

/** Returns whether the current secret of the endpoint was shown in this tab. */
export const knowsSecret = (endpointId: number): boolean => known.value.has(endpointId)

export function forgetSecrets(): void {
  known.value = new Map()
}
