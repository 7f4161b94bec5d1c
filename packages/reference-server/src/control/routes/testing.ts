import { LIMITS } from '@formwire/contract'
import type { Fault } from '@formwire/contract/control'
import type { App } from '../../app.ts'
import { notFound } from '../../domain/service-error.ts'
import { readJsonObject } from '../../http/body.ts'
import { item, jsonText } from '../../http/json-response.ts'
import type { Route } from '../../http/route.ts'
import type { Receivers } from '../receivers.ts'
import { pathId, unpagedList } from './shared.ts'

/** Largest snapshot that can be restored, in bytes. */
const SNAPSHOT_MAX_BYTES = 256 * 1_048_576

/** Routes for tests under `/_app`: reset, snapshots, the request journal, faults. */
export const testingRoutes = (app: App, receivers: Receivers): Route[] => [
  {
    method: 'POST',
    pattern: '/_app/reset',
    run: async () => {
      app.reset()
      await receivers.clear()
      return item({ reset: true })
    },
  },
  {
    method: 'GET',
    pattern: '/_app/snapshot',
    run: () => {
      const response = jsonText(200, JSON.stringify({ data: app.snapshot.take() }))
      response.headers['cache-control'] = 'no-store'
      return response
    },
  },
  {
    method: 'PUT',
    pattern: '/_app/snapshot',
    run: async ({ request }) => {
      app.snapshot.restore(await readJsonObject(request, SNAPSHOT_MAX_BYTES))
      return item({ restored: true })
    },
  },
  { method: 'GET', pattern: '/_app/requests', run: () => unpagedList(app.requests.list()) },
  { method: 'GET', pattern: '/_app/faults', run: () => unpagedList(app.faults.list()) },
  {
    method: 'POST',
    pattern: '/_app/faults',
    run: async ({ request }) =>
      item(app.faults.add((await readJsonObject(request, LIMITS.bodyMaxBytes)) as Fault), 201),
  },
  {
    method: 'DELETE',
    pattern: '/_app/faults/:id',
    run: ({ params }) => {
      if (!app.faults.remove(pathId(params.id))) throw notFound()
      return item({ deleted: true })
    },
  },
  {
    method: 'DELETE',
    pattern: '/_app/faults',
    run: () => {
      app.faults.clear()
      return item({ deleted: true })
    },
  },
]
