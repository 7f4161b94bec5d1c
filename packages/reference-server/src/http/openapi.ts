import { lazy } from '../lazy.ts'
import { jsonText } from './json-response.ts'
import { createRouteGroup } from './route-group.ts'
import { route } from './router.ts'

/** `GET /openapi.json`: the OpenAPI document, served without a key. */
export const openApiGroup = createRouteGroup('/openapi.json', async () => [
  route('GET', '/openapi.json', async () => jsonText(200, await openApiText())),
])

/** Loaded on the first request. */
const openApiText = lazy(async () => {
  const { default: document } = await import('@formwire/contract/openapi.json', { with: { type: 'json' } })
  return JSON.stringify(document)
})
