import { LIMITS } from '@formwire/contract'
import { item, jsonText } from '../../http/answers.ts'
import { readJsonObject } from '../../http/body.ts'
import { notFound } from '../../http/errors.ts'
import type { Route } from '../../http/route.ts'
import type { Fault } from '../faults.ts'
import type { App } from '../index.ts'
import { pathId, wholeList } from './shared.ts'

/** Largest snapshot that is taken back, in bytes. */
const SNAPSHOT_MAX_BYTES = 256 * 1_048_576

/** What a test has a hold on: reset, snapshots, the journal, faults. */
export const instrumentRoutes = (app: App): Route[] => [
  {
    method: 'POST',
    pattern: '/_app/reset',
    run: () => {
      app.reset()
      return item({ reset: true })
    },
  },
  {
    method: 'GET',
    pattern: '/_app/snapshot',
    run: () => {
      const answer = jsonText(200, JSON.stringify({ data: app.snapshot.take() }))
      answer.headers['cache-control'] = 'no-store'
      return answer
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
  { method: 'GET', pattern: '/_app/requests', run: () => wholeList(app.requests.list()) },
  { method: 'GET', pattern: '/_app/faults', run: () => wholeList(app.faults.list()) },
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
