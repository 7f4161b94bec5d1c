import { invalid, orNotFound } from '../domain/service-error.ts'
import { fontPreloads } from '../fonts/assets.ts'
import { readJsonObject } from '../http/body.ts'
import { item } from '../http/json-response.ts'
import { type Route, route } from '../http/router.ts'
import { pageHeaders, sendStatic } from '../http/static-files.ts'

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
    const asset = orNotFound((await consoleAssets()).get(params.file ?? ''))
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

/** Sent with the shell and each of its files. Answers and titles are untrusted input, and the tab has the admin token. */
const SHELL_HEADERS: Readonly<Record<string, string>> = {
  // The frame is the preview of a form.
  ...pageHeaders("frame-src 'self'", "base-uri 'none'", "form-action 'none'"),
  'cross-origin-resource-policy': 'same-origin',
}

/**
 * The page without data. Its script reads the token from the URL fragment, which is not sent to the server. It is not to be
 * translated: a translator puts elements of its own in place of the texts that the script keeps current.
 */
const SHELL = `<!doctype html>
<html lang="en" translate="no">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="google" content="notranslate">
<title>Formwire console</title>
<link rel="icon" href="console/icon.svg" type="image/svg+xml">
${fontPreloads('console')}
<link rel="stylesheet" href="console/console.css">
<script type="module" src="console/console.js"></script>
</head>
<body>
<div id="console"></div>
<noscript><p class="noscript">The console shows live data and needs JavaScript. The same data is JSON under <code>/_app</code>.</p></noscript>
</body>
</html>
`
