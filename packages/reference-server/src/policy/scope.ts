import type { KeyScope } from '@formwire/contract'

/** The access that a method needs: reading is GET and HEAD, everything else writes (AUTH-03). */
export function accessOf(method: string): KeyScope {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write'
}

/** Whether a key of this scope gives this access: `write` gives both (AUTH-03). */
export function scopeAllows(scope: KeyScope, access: KeyScope): boolean {
  return scope === 'write' || access === 'read'
}
