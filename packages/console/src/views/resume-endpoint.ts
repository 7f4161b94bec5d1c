import { call, formPath } from '../api.ts'
import { withoutScheme } from '../format.ts'
import { type Endpoint, endpoints } from '../state/catalog.ts'
import { act } from '../ui/announcer.tsx'

/** Path of an endpoint in the control API. */
export const endpointPath = (endpoint: Pick<Endpoint, 'form_id' | 'id'>): string =>
  `${formPath(endpoint.form_id)}/webhooks/${endpoint.id}`

/**
 * Lets a paused endpoint receive deliveries again, and returns whether it does. In a module of its own: the first load needs nothing
 * else of an endpoint.
 */
export async function resumeEndpoint(endpoint: Endpoint, tone: 'done' | 'quiet' = 'done'): Promise<boolean> {
  const work = () => call<unknown>('POST', `${endpointPath(endpoint)}/resume`)
  const resumed = await act(work, `Resumed ${withoutScheme(endpoint.url)}`, tone)
  await endpoints.refresh()
  return resumed !== undefined
}
