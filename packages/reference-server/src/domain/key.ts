import { hash } from 'node:crypto'
import { KEY_PREFIX, type KeyScope } from '@formwire/contract'
import { type RandomSource, randomText } from '../random.ts'

/** An API key as it is stored: only the hash of the key is kept (AUTH-06). */
export interface ApiKey {
  readonly id: number
  readonly name: string
  /** The first characters of the key. */
  readonly prefix: string
  readonly scope: KeyScope
  /** SHA-256 of the whole key, lower-case hex. */
  readonly hash: string
  readonly userId: number
  /** The one workspace it reaches (AUTH-12). */
  readonly workspaceId: number
  readonly createdAt: number
  readonly revokedAt: number | null
  /** Whether a server printed it at its start: the `current` one, or an `earlier` one whose state it was loaded from. */
  readonly printed?: 'current' | 'earlier'
}

const PREFIX_LENGTH = 10
const SECRET_LENGTH = 40

/** Returns a new key: `svc_` and 40 letters and digits (238 bits). */
export function generateKey(random: RandomSource): string {
  return KEY_PREFIX + randomText(random, SECRET_LENGTH)
}

/** Returns the hash by which keys are stored and looked up (AUTH-06). */
export function hashKey(key: string): string {
  return hash('sha256', key)
}

/** Returns the part of a key that may be shown: `svc_` and six characters. */
export function prefixOf(key: string): string {
  return key.slice(0, PREFIX_LENGTH)
}
