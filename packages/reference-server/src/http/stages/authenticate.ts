import type { KeyScope } from '@formwire/contract'
import { KEY_PREFIX, type KnownWorkspaceRole, LIMITS } from '@formwire/contract'
import type { Context } from '../../context.ts'
import { type ApiKey, hashKey } from '../../domain/key.ts'
import type { User, Workspace } from '../../domain/person.ts'
import { ServiceError } from '../../domain/service-error.ts'
import { PLANS } from '../../policy/plans.ts'
import { type RateLimiter, rateLimited } from '../../policy/rate-limit.ts'
import type { Settings } from '../../settings.ts'
import type { IncomingMessage } from '../message.ts'

/** The caller: its key and what determines the key's rights. */
export interface Caller {
  readonly key: ApiKey
  readonly user: User
  readonly workspace: Workspace
  readonly role: KnownWorkspaceRole
}

const SCHEME = 'bearer'
const SPACE = 32

/** Longer tokens are not hashed: a key has 44 characters. */
const MAX_KEY_LENGTH = 256

/** Returns the token of `Authorization: Bearer <token>`. The scheme is case-insensitive (AUTH-01). */
export function bearerToken(request: IncomingMessage): string | undefined {
  const header = request.headers.get('authorization')
  if (header === undefined || header.length > MAX_KEY_LENGTH + 16) return undefined
  if (header.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined
  let start = SCHEME.length
  while (header.charCodeAt(start) === SPACE) start += 1
  const token = header.slice(start)
  return start === SCHEME.length || token === '' ? undefined : token
}

/**
 * Identifies the caller. Throws 401 for a missing, malformed, unknown or revoked key, and 429 after too many such
 * failures from one address (AUTH-01, RATE-02). Reads the header only, never the URL (AUTH-02).
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
  const key = sentKey(state, request)
  if (!key || key.revokedAt !== null) return undefined
  const user = state.people.users.get(key.userId)
  const workspace = state.people.workspaces.get(key.workspaceId)
  const membership = state.people.membership(key.workspaceId, key.userId)
  return user && workspace && membership ? { key, user, workspace, role: membership.role } : undefined
}

function sentKey(state: Context['state'], request: IncomingMessage): ApiKey | undefined {
  const token = bearerToken(request)
  if (!token?.startsWith(KEY_PREFIX)) return undefined
  return state.keys.byHash(hashOf(token, request.connection))
}

/** The last token of each open connection with its hash. Never shared between connections, and dropped with them. */
const lastTokens = new WeakMap<object, { readonly token: string; readonly hash: string }>()

/** Hashes a token once per connection, since a client sends the same key with every request. */
function hashOf(token: string, connection: object | undefined): string {
  if (!connection) return hashKey(token)
  const last = lastTokens.get(connection)
  if (last?.token === token) return last.hash
  const hash = hashKey(token)
  lastTokens.set(connection, { token, hash })
  return hash
}

/** 401 with the documented header (AUTH-01). */
export function unauthorized(message: string): ServiceError {
  return new ServiceError('unauthorized', message, undefined, { 'www-authenticate': 'Bearer' })
}

export const tooMany = (message: string): ServiceError =>
  rateLimited(`${message} Wait ${LIMITS.retryAfterSeconds} seconds.`)

/** Checks plan, scope and role, in this order, on every request (AUTH-03, AUTH-04, AUTH-11, AUTH-13). */
export function authorize(settings: Settings, { key, workspace, role }: Caller, access: KeyScope): void {
  const { writeKeyOnReadPlan, noPlanAccess } = settings.unspecified
  const needed = key.scope === 'write' && writeKeyOnReadPlan === 'refused' ? 'write' : access
  if (!PLANS[workspace.plan][needed]) {
    const message = `The plan of this workspace does not include API ${needed} access.`
    if (noPlanAccess === '401') throw unauthorized(message)
    throw new ServiceError('forbidden', message)
  }
  if (access === 'read') return
  if (key.scope === 'read')
    throw new ServiceError('forbidden', 'This key is read-only; use a key with write scope.')
  if (role === 'viewer')
    throw new ServiceError('forbidden', `The user of this key has the role ${role}, which is read-only.`)
}
