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

let text: Promise<string> | undefined

/** Read when it is first asked for. */
function openApiText(): Promise<string> {
  text ??= import('@formwire/contract/openapi.json', { with: { type: 'json' } }).then(
    ({ default: document }) => JSON.stringify(document),
  )
  return text
}
