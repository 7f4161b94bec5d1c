import { LIMITS } from '@formwire/contract'
import type { ReceiverStep } from '@formwire/contract/control'
import { invalid } from '../../domain/service-error.ts'
import { readJsonObject, readOptionalJsonObject } from '../../http/body.ts'
import { item } from '../../http/json-response.ts'
import type { Route } from '../../http/route.ts'
import { refuseUnknownFields } from '../../services/input.ts'
import type { BuiltInReceiver } from '../built-in-receiver.ts'
import type { Receivers } from '../receivers.ts'
import { pathId, unpagedList } from './shared.ts'

const RECEIVER = '/_app/receivers/:id'
const BUILT_IN = '/_app/receivers/built-in'

/** Reads the body of a new script. Its steps are checked by the receiver. */
function readScript(body: Readonly<Record<string, unknown>>): unknown {
  refuseUnknownFields(body, ['script'])
  if (body.script === undefined) throw invalid('script', 'script is required: an array of steps.')
  return body.script
}

/** Routes of mock receivers under `/_app`. The built-in one comes first, since the next routes would read its name as an id. */
export const receiverRoutes = (receivers: Receivers, builtIn: BuiltInReceiver): Route[] => [
  { method: 'GET', pattern: BUILT_IN, run: async () => item(await builtIn.start()) },
  {
    method: 'PUT',
    pattern: `${BUILT_IN}/script`,
    run: async ({ request }) => {
      const script = readScript(await readJsonObject(request, LIMITS.bodyMaxBytes))
      await builtIn.start()
      return item(await builtIn.setScript(script as ReceiverStep[]))
    },
  },
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
      const script = readScript(await readJsonObject(request, LIMITS.bodyMaxBytes))
      return item(await receivers.update(id, { script }))
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
