import type { KeyScope, KnownWorkspaceRole } from '@formwire/contract'

/** Whether a member with this role has this access through the API, whatever the key's scope (AUTH-04). */
export function roleAllows(role: KnownWorkspaceRole, access: KeyScope): boolean {
  return access === 'read' || role !== 'viewer'
}

/** Whether a member with this role may create a key of this scope (AUTH-05). */
export function roleMayCreateKey(role: KnownWorkspaceRole, scope: KeyScope): boolean {
  return roleAllows(role, scope)
}
