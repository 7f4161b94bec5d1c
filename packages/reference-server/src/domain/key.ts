import { hash } from 'node:crypto'
import { KEY_PREFIX, type KeyScope } from '@formwire/contract'
import { type RandomSource, randomText } from '../random.ts'

/** An API key as it is stored: the key itself is nowhere, only its hash (AUTH-06). */
export interface ApiKey {
  readonly id: number
  readonly name: string
  /** Short leading part of the key. */
  readonly prefix: string
  readonly scope: KeyScope
  /** SHA-256 of the whole key, lower-case hex. */
  readonly hash: string
  readonly userId: number
  /** The one workspace it reaches (AUTH-12). */
  readonly workspaceId: number
  readonly createdAt: number
  readonly revokedAt: number | null
}

const PREFIX_LENGTH = 10
const SECRET_LENGTH = 40

/** A new key: `svc_` and 40 letters and digits (238 bits). */
export function generateKey(random: RandomSource): string {
  return KEY_PREFIX + randomText(random, SECRET_LENGTH)
}

/** What is stored of a key, and what an incoming key is looked up by (AUTH-06). */
export function hashKey(key: string): string {
  return hash('sha256', key)
}

/** The part of a key that may be shown: `svc_` and six characters. */
export function prefixOf(key: string): string {
  return key.slice(0, PREFIX_LENGTH)
}
