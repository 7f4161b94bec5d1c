import type { KnownWorkspaceRole } from '@formwire/contract'
import type { ApiKey } from '../../domain/key.ts'
import type { User, Workspace } from '../../domain/person.ts'
import type { Route, RouteCall } from '../route.ts'

/** Who calls: the key, and everything that its rights hang on. */
export interface Caller {
  readonly key: ApiKey
  readonly user: User
  readonly workspace: Workspace
  readonly role: KnownWorkspaceRole
}

/** What an operation of the API is given: by then key, limit, plan, scope and role are checked. */
export interface ApiCall extends RouteCall {
  readonly caller: Caller
}

/** A row of the API's route table. GET needs read access, every other method write access (AUTH-03). */
export type ApiRoute = Route<ApiCall>
