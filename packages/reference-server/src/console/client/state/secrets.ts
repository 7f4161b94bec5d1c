import { signal } from '@preact/signals'

/** A secret that this tab has seen, and the Unix second from which on it signs. */
interface KnownSecret {
  readonly secret: string
  readonly since: number
}

/**
 * Secrets that were shown in this tab, by endpoint. In memory alone: a reload forgets them, as the server promises that
 * they are shown once.
 */
const known = signal<ReadonlyMap<number, KnownSecret>>(new Map())

export function rememberSecret(endpointId: number, secret: string, nowMs: number): void {
  known.value = new Map(known.peek()).set(endpointId, { secret, since: Math.floor(nowMs / 1000) })
}

/** The secret that signed at this Unix second, when this tab knows it. */
export function secretAt(endpointId: number, timestamp: number): string | undefined {
  const entry = known.value.get(endpointId)
  return entry && timestamp >= entry.since ? entry.secret : undefined
}

/** Whether this tab knows the endpoint's present secret. */
export const knowsSecret = (endpointId: number): boolean => known.value.has(endpointId)

export function forgetSecrets(): void {
  known.value = new Map()
}
