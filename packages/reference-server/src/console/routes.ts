import { invalid, notFound } from '../domain/service-error.ts'
import { readJsonObject } from '../http/body.ts'
import { item } from '../http/json-response.ts'
import { type Route, route } from '../http/router.ts'
import { sendStatic } from '../http/static-files.ts'
import { SHELL, SHELL_HEADERS } from './shell.ts'

/** Anyone may send one; it contains only a code. */
const SIGN_IN_BODY_MAX_BYTES = 1024

/**
 * `GET /_app/console` and its files. They contain no data and need no token: the script of the page requests all data
 * below `/_app` with the token in `Authorization`, and the token with the code of the link that opened the page.
 *
 * @param redeem Returns the admin token for a valid code, once.
 */
export const consoleRoutes = (redeem: (code: unknown) => string | undefined): readonly Route[] => [
  route('GET', '/_app/console', () => ({
    status: 200,
    headers: { ...SHELL_HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
    body: SHELL,
  })),
  route('GET', '/_app/console/:file', async ({ request, params }) => {
    const { consoleAssets } = await import('./assets.ts')
    const asset = (await consoleAssets()).get(params.file ?? '')
    if (!asset) throw notFound()
    return sendStatic(request, asset, SHELL_HEADERS)
  }),
  route('POST', '/_app/console/sign-in', async ({ request }) => {
    const { code } = await readJsonObject(request, SIGN_IN_BODY_MAX_BYTES)
    const adminToken = redeem(code)
    if (adminToken === undefined)
      throw invalid(
        'code',
        'The code is unknown, has been used or has expired: sign in with the admin token.',
      )
    const response = item({ admin_token: adminToken })
    response.headers['cache-control'] = 'no-store'
    return response
  }),
]
