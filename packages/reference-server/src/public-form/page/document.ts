import type { OutgoingMessage } from '../../http/message.ts'
import { type Html, html } from './html.ts'

/** Allows only files of this server: no inline scripts or styles, no framing, no form posts to other hosts. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Sent with every page of the public form and with its files. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Path of the script and style sheet of the pages. */
export const ASSETS_ROOT = '/f/assets'

export interface Page {
  readonly status: number
  readonly title: string
  readonly main: Html
  /** Code of the error shown, for programs that read the page. */
  readonly errorCode?: string
}

/** Returns a whole page. Pages are personal and must not be cached. */
export function sendPage({ status, title, main, errorCode }: Page): OutgoingMessage {
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="${ASSETS_ROOT}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${ASSETS_ROOT}/form.css">
<script type="module" src="${ASSETS_ROOT}/form.js"></script>
</head>
<body data-error="${errorCode ?? ''}">
<main>
${main}
</main>
</body>
</html>
`
  const headers = { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  return { status, headers, body: body.text }
}
