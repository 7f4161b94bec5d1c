import { loadLate } from '../load-late.ts'
import { jsonText } from './answers.ts'
import { openArea } from './area.ts'

/** `GET /openapi.json`: the API described, for anybody. */
export const openApiArea = openArea('/openapi.json', async () => [
  {
    method: 'GET',
    pattern: '/openapi.json',
    run: async () => jsonText(200, await openApiText()),
  },
])

/** Read when it is first asked for. */
const openApiText = loadLate(async () => {
  const { default: document } = await import('@formwire/contract/openapi.json', { with: { type: 'json' } })
  return JSON.stringify(document)
})
