import type { KnownWorkspaceRole } from '@formwire/contract'
import type { App } from '../../app.ts'
import type { Route } from '../../http/router.ts'
import { refuseUnknownFields } from '../../services/input.ts'
import { list, one, pathId, withBody } from './shared.ts'

/** Routes of workspaces, users, members and keys under `/_app`. */
export const peopleRoutes = (app: App): Route[] => [
  list('/_app/workspaces', () => app.workspaces.list()),
  withBody('POST', '/_app/workspaces', () => app.workspaces.create, 201),
  one('GET', '/_app/workspaces/:id', ({ params }) => app.workspaces.get(pathId(params.id))),
  withBody('PATCH', '/_app/workspaces/:id', ({ params }) => {
    const id = pathId(params.id)
    return (body) => app.workspaces.update(id, body)
  }),
  withBody(
    'PUT',
    '/_app/workspaces/:id/members/:userId',
    ({ params }) =>
      (body: { role: KnownWorkspaceRole }) => {
        refuseUnknownFields(body, ['role'])
        return app.members.set(pathId(params.id), pathId(params.userId), body.role)
      },
  ),
  one('DELETE', '/_app/workspaces/:id/members/:userId', ({ params }) =>
    app.members.remove(pathId(params.id), pathId(params.userId)),
  ),
  list('/_app/users', () => app.users.list()),
  withBody('POST', '/_app/users', () => app.users.create, 201),
  one('GET', '/_app/users/:id', ({ params }) => app.users.get(pathId(params.id))),
  one('POST', '/_app/users/:id/password', ({ params }) => app.users.changePassword(pathId(params.id))),
  list('/_app/keys', () => app.keys.list()),
  withBody('POST', '/_app/keys', () => app.keys.create, 201),
  one('DELETE', '/_app/keys/:id', ({ params }) => app.keys.revoke(pathId(params.id))),
]
