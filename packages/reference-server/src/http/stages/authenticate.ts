import { KEY_PREFIX, LIMITS } from '@formwire/contract'
import type { Context } from '../../context.ts'
import { hashKey } from '../../domain/key.ts'
import type { RateLimiter } from '../../policy/rate-limit.ts'
import { ServiceError } from '../errors.ts'
import type { IncomingMessage } from '../message.ts'
import type { Caller } from '../operations/call.ts'

const SCHEME = 'bearer'
const SPACE = 32

/** The longest token worth hashing: a key has 44 characters. */
const MAX_KEY_LENGTH = 256

/** The token of `Authorization: Bearer <token>`; the scheme's case does not matter (AUTH-01). */
export function bearerToken(request: IncomingMessage): string | undefined {
  const header = request.headers.get('authorization')
  if (header === undefined || header.length > MAX_KEY_LENGTH + 16) return undefined
  if (header.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined
  let start = SCHEME.length
  while (header.charCodeAt(start) === SPACE) start += 1
  let end = header.length
  while (header.charCodeAt(end - 1) === SPACE) end -= 1
  const token = header.slice(start, end)
  return start === SCHEME.length || token === '' || /\s/.test(token) ? undefined : token
}

/**
 * Who calls. Throws 401 for a missing, malformed, unknown or revoked key, and 429 when that happened too often from
 * one address (AUTH-01, RATE-02). Only the header counts, never the url (AUTH-02).
 */
export function authenticate(
  context: Context,
  failures: RateLimiter<string>,
  request: IncomingMessage,
  now: number,
): Caller {
  const caller = findCaller(context, request)
  if (!caller) {
    if (!failures.take(request.address, now))
      throw tooMany('Too many failed authentications from this address.')
    throw unauthorized('The API key is missing, wrong or revoked.')
  }
  if (
    context.settings.unspecified.validKeyFromBlockedAddress === '429' &&
    !failures.fits(request.address, now)
  ) {
    throw tooMany('Too many failed authentications from this address.')
  }
  return caller
}

function findCaller({ state }: Context, request: IncomingMessage): Caller | undefined {
  const token = bearerToken(request)
  if (!token?.startsWith(KEY_PREFIX)) return undefined
  const key = state.keys.byHash(hashOf(token, request.connection))
  if (!key || key.revokedAt !== null) return undefined
  const user = state.people.user(key.userId)
  const workspace = state.people.workspace(key.workspaceId)
  const membership = state.people.membership(key.workspaceId, key.userId)
  return user && workspace && membership ? { key, user, workspace, role: membership.role } : undefined
}

/** The key that a kept connection sent last, with its hash: gone with the connection, and shown to no other. */
const sentLast = new WeakMap<object, { readonly token: string; readonly hash: string }>()

/** A client sends the same key with each request of a connection: its SHA-256 is worked out once. */
function hashOf(token: string, connection: object | undefined): string {
  if (!connection) return hashKey(token)
  const last = sentLast.get(connection)
  if (last?.token === token) return last.hash
  const hash = hashKey(token)
  sentLast.set(connection, { token, hash })
  return hash
}

/** 401 with the header that the service documents (AUTH-01). */
export function unauthorized(message: string): ServiceError {
  return new ServiceError('unauthorized', message, undefined, { 'www-authenticate': 'Bearer' })
}

/** 429 with the documented wait (RATE-01, RATE-02). */
export function tooMany(message: string): ServiceError {
  return new ServiceError('rate_limited', `${message} Wait ${LIMITS.retryAfterSeconds} seconds.`, undefined, {
    'retry-after': String(LIMITS.retryAfterSeconds),
  })
}
