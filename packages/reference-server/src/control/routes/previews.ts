import type { Route } from '../../http/route.ts'
import type { ControlParts } from '../control-parts.ts'
import { withBody } from './shared.ts'

type PreviewParts = Pick<ControlParts, 'previews'>

/** The route that creates previews of questions that are not published. */
export const previewRoutes = (parts: PreviewParts): Route[] => [
  withBody('POST', '/_app/previews', () => (body) => parts.previews.create(body), 201),
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
