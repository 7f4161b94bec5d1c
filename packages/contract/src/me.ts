import type { OpenEnum } from './open-enum.ts'

/** What a key may do: `read` GET only, `write` also PATCH, POST and DELETE (AUTH-03). */
export const KEY_SCOPES = ['read', 'write'] as const

/** A documented scope. */
export type KeyScope = (typeof KEY_SCOPES)[number]

/** Roles of a member. The service document shows `owner` and names editors and viewers. */
export const WORKSPACE_ROLES = ['owner', 'editor', 'viewer'] as const

/** A known role. */
export type KnownWorkspaceRole = (typeof WORKSPACE_ROLES)[number]

/** Role of the key's user in the key's workspace. */
export type WorkspaceRole = OpenEnum<KnownWorkspaceRole>

/** Who the key belongs to and what it reaches: the answer of `GET /me` (ME-01). */
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
