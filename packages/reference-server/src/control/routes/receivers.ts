import { LIMITS } from '@formwire/contract'
import type { ReceiverStep } from '@formwire/contract/control'
import { invalid } from '../../domain/service-error.ts'
import { readOptionalJsonObject } from '../../http/body.ts'
import type { Route } from '../../http/router.ts'
import { refuseUnknownFields } from '../../services/input.ts'
import { type ControlParts, list, one, pathId, withBody } from './shared.ts'

const RECEIVER = '/_app/receivers/:id'
const BUILT_IN = '/_app/receivers/built-in'

/** Reads the body of a new script. Its steps are checked by the receiver. */
function readScript(body: Readonly<Record<string, unknown>>): unknown {
  refuseUnknownFields(body, ['script'])
  if (body.script === undefined) throw invalid('script', 'script is required: an array of steps.')
  return body.script
}

/** Routes of mock receivers under `/_app`. The built-in one comes first, since the next routes would read its name as an id. */
export const receiverRoutes = ({ receivers, builtIn }: ControlParts): Route[] => [
  one('GET', BUILT_IN, () => builtIn.start()),
  withBody('PUT', `${BUILT_IN}/script`, () => async (body) => {
    const script = readScript(body)
    await builtIn.start()
    return builtIn.setScript(script as ReceiverStep[])
  }),
  list('/_app/receivers', () => receivers.list()),
  one(
    'POST',
    '/_app/receivers',
    async ({ request }) =>
      receivers.create((await readOptionalJsonObject(request, LIMITS.bodyMaxBytes)) ?? {}),
    201,
  ),
  one('GET', RECEIVER, ({ params }) => receivers.get(pathId(params.id))),
  withBody('PUT', RECEIVER, ({ params }) => {
    const { id } = receivers.get(pathId(params.id))
    return (body) => receivers.update(id, body)
  }),
  withBody('PUT', `${RECEIVER}/script`, ({ params }) => {
    const { id } = receivers.get(pathId(params.id))
    return (body) => receivers.update(id, { script: readScript(body) })
  }),
  list(`${RECEIVER}/deliveries`, ({ params }) => receivers.deliveries(pathId(params.id))),
  one('DELETE', RECEIVER, async ({ params }) => {
    const id = pathId(params.id)
    await receivers.remove(id)
    return { id, deleted: true }
  }),
]
