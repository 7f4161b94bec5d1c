import type { KnownWorkspaceRole } from '@formwire/contract'
import type { ApiKey } from '../../domain/key.ts'
import type { User, Workspace } from '../../domain/person.ts'
import type { Route, RouteCall } from '../route.ts'

/** The caller: its key and what determines the key's rights. */
export interface Caller {
  readonly key: ApiKey
  readonly user: User
  readonly workspace: Workspace
  readonly role: KnownWorkspaceRole
}

/** The arguments of an API operation. Key, rate limit, plan, scope and role have been checked. */
export interface ApiCall extends RouteCall {
  readonly caller: Caller
}

/** A row of the API's route table. GET requires read access, every other method write access (AUTH-03). */
export type ApiRoute = Route<ApiCall>
