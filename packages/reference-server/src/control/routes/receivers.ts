import { LIMITS } from '@formwire/contract'
import { invalid } from '../../domain/service-error.ts'
import { readJsonObject, readOptionalJsonObject } from '../../http/body.ts'
import { item } from '../../http/responses.ts'
import type { Route } from '../../http/route.ts'
import { refuseUnknownFields } from '../../services/input.ts'
import type { Receivers } from '../receivers.ts'
import { pathId, unpagedList } from './shared.ts'

const RECEIVER = '/_app/receivers/:id'

/** Routes of mock receivers under `/_app`. */
export const receiverRoutes = (receivers: Receivers): Route[] => [
  { method: 'GET', pattern: '/_app/receivers', run: () => unpagedList(receivers.list()) },
  {
    method: 'POST',
    pattern: '/_app/receivers',
    run: async ({ request }) =>
      item(await receivers.create((await readOptionalJsonObject(request, LIMITS.bodyMaxBytes)) ?? {}), 201),
  },
  { method: 'GET', pattern: RECEIVER, run: ({ params }) => item(receivers.get(pathId(params.id))) },
  {
    method: 'PUT',
    pattern: RECEIVER,
    run: async ({ request, params }) => {
      const id = pathId(params.id)
      receivers.get(id)
      return item(await receivers.update(id, await readJsonObject(request, LIMITS.bodyMaxBytes)))
    },
  },
  {
    method: 'PUT',
    pattern: `${RECEIVER}/script`,
    run: async ({ request, params }) => {
      const id = pathId(params.id)
      receivers.get(id)
      const body = await readJsonObject(request, LIMITS.bodyMaxBytes)
      refuseUnknownFields(body, ['script'])
      if (body.script === undefined) throw invalid('script', 'script is required: an array of steps.')
      return item(await receivers.update(id, body))
    },
  },
  {
    method: 'GET',
    pattern: `${RECEIVER}/deliveries`,
    run: ({ params }) => unpagedList(receivers.deliveries(pathId(params.id))),
  },
  {
    method: 'DELETE',
    pattern: RECEIVER,
    run: async ({ params }) => {
      const id = pathId(params.id)
      await receivers.remove(id)
      return item({ id, deleted: true })
    },
  },
]
