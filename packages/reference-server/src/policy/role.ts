import type { KeyScope, KnownWorkspaceRole } from '@formwire/contract'

/** Whether a member in this role may do this through the API, whatever the key says (AUTH-04). */
export function roleAllows(role: KnownWorkspaceRole, access: KeyScope): boolean {
  return access === 'read' || role !== 'viewer'
}

/** Whether a member in this role may create a key of this scope (AUTH-05). */
export function roleMayCreateKey(role: KnownWorkspaceRole, scope: KeyScope): boolean {
  return roleAllows(role, scope)
}
