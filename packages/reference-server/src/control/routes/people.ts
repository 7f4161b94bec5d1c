import { LIMITS } from '@formwire/contract'
import type { App } from '../../app.ts'
import { readJsonObject } from '../../http/body.ts'
import { item } from '../../http/json-response.ts'
import type { Route } from '../../http/route.ts'
import { refuseUnknownFields } from '../../services/input.ts'
import { pathId, unpagedList } from './shared.ts'

/** Routes of workspaces, users, members and keys under `/_app`. */
export const peopleRoutes = (app: App): Route[] => [
  { method: 'GET', pattern: '/_app/workspaces', run: () => unpagedList(app.workspaces.list()) },
  {
    method: 'POST',
    pattern: '/_app/workspaces',
    run: async ({ request }) =>
      item(app.workspaces.create((await readJsonObject(request, LIMITS.bodyMaxBytes)) as never), 201),
  },
  {
    method: 'GET',
    pattern: '/_app/workspaces/:id',
    run: ({ params }) => item(app.workspaces.get(pathId(params.id))),
  },
  {
    method: 'PATCH',
    pattern: '/_app/workspaces/:id',
    run: async ({ request, params }) =>
      item(app.workspaces.update(pathId(params.id), await readJsonObject(request, LIMITS.bodyMaxBytes))),
  },
  {
    method: 'PUT',
    pattern: '/_app/workspaces/:id/members/:userId',
    run: async ({ request, params }) => {
      const body = await readJsonObject(request, LIMITS.bodyMaxBytes)
      refuseUnknownFields(body, ['role'])
      return item(app.members.set(pathId(params.id), pathId(params.userId), body.role as never))
    },
  },
  {
    method: 'DELETE',
    pattern: '/_app/workspaces/:id/members/:userId',
    run: ({ params }) => item(app.members.remove(pathId(params.id), pathId(params.userId))),
  },
  { method: 'GET', pattern: '/_app/users', run: () => unpagedList(app.users.list()) },
  {
    method: 'POST',
    pattern: '/_app/users',
    run: async ({ request }) =>
      item(app.users.create((await readJsonObject(request, LIMITS.bodyMaxBytes)) as never), 201),
  },
  { method: 'GET', pattern: '/_app/users/:id', run: ({ params }) => item(app.users.get(pathId(params.id))) },
  {
    method: 'POST',
    pattern: '/_app/users/:id/password',
    run: ({ params }) => item(app.users.changePassword(pathId(params.id))),
  },
  { method: 'GET', pattern: '/_app/keys', run: () => unpagedList(app.keys.list()) },
  {
    method: 'POST',
    pattern: '/_app/keys',
    run: async ({ request }) =>
      item(app.keys.create((await readJsonObject(request, LIMITS.bodyMaxBytes)) as never), 201),
  },
  {
    method: 'DELETE',
    pattern: '/_app/keys/:id',
    run: ({ params }) => item(app.keys.revoke(pathId(params.id))),
  },
]
