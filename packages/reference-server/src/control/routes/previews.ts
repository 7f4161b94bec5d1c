import { LIMITS } from '@formwire/contract'
import { readJsonObject } from '../../http/body.ts'
import { item } from '../../http/responses.ts'
import type { Route } from '../../http/route.ts'
import type { ControlParts } from './index.ts'

type PreviewParts = Pick<ControlParts, 'previews'>

/** The route that creates previews of questions that are not published. */
export const previewRoutes = (parts: PreviewParts): Route[] => [
  {
    method: 'POST',
    pattern: '/_app/previews',
    run: async ({ request }) =>
      item(parts.previews.create(await readJsonObject(request, LIMITS.bodyMaxBytes)), 201),
  },
]

/** The page of a preview. Its path is the credential, since a browser opens it without a token. */
export const openPreviewRoutes = (parts: PreviewParts): Route[] => [
  {
    method: 'GET',
    pattern: '/_app/previews/:token',
    run: ({ params, query }) => parts.previews.page(params.token ?? '', { isStatic: query.has('static') }),
  },
]
