import { LIMITS } from '@formwire/contract'
import { readJsonObject } from '../../http/body.ts'
import { item } from '../../http/json-response.ts'
import type { Route } from '../../http/route.ts'
import type { ControlParts } from '../control-parts.ts'

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

/** The page of a preview and its files. Their path is the credential, since a browser opens them without a token. */
export const openPreviewRoutes = (parts: PreviewParts): Route[] => [
  {
    method: 'GET',
    pattern: '/_app/previews/:token',
    parameters: ['static'],
    run: ({ request: { path }, params, query }) =>
      parts.previews.page(params.token ?? '', { path, isStatic: query.has('static') }),
  },
  {
    method: 'GET',
    pattern: '/_app/previews/:token/:file',
    run: ({ params }) => parts.previews.file(params.token ?? '', params.file ?? ''),
  },
]
