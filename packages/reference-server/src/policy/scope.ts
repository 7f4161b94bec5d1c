import type { KeyScope } from '@formwire/contract'

/** Returns the access that a route's method needs: GET reads, every other method writes (AUTH-03). HEAD uses the GET route. */
export function accessOf(method: string): KeyScope {
  return method === 'GET' ? 'read' : 'write'
}

/** Whether a key with this scope has this access. `write` includes `read` (AUTH-03). */
export function scopeAllows(scope: KeyScope, access: KeyScope): boolean {
  return scope === 'write' || access === 'read'
}
