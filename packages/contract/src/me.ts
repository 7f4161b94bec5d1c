import type { OpenEnum } from './open-enum.ts'

/** Scopes of a key: `read` allows GET only, `write` also PATCH, POST and DELETE (AUTH-03). */
export const KEY_SCOPES = ['read', 'write'] as const

/** A documented scope. */
export type KeyScope = (typeof KEY_SCOPES)[number]

/** Roles of a workspace member. */
export const WORKSPACE_ROLES = ['owner', 'editor', 'viewer'] as const

/** A known role. */
export type KnownWorkspaceRole = (typeof WORKSPACE_ROLES)[number]

/** Role of a user in a workspace. */
export type WorkspaceRole = OpenEnum<KnownWorkspaceRole>

/** The key in use, its user and its workspace: what `GET /me` returns (ME-01). */
export interface Me {
  user: { id: number; name: string; email: string }
  workspace: { id: number; name: string; role: WorkspaceRole }
  key: {
    id: number
    name: string
    /** Short leading part of the key, to tell keys apart. */
    prefix: string
    scope: OpenEnum<KeyScope>
  }
}
