/**
 * Allows only files of this server: no inline scripts or styles, no framing, no form posts to other hosts, and no markup
 * from text (Trusted Types). Answers and titles are untrusted input, and the tab has the admin token.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  // The preview of a form.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Sent with the shell and each of its files. */
export const SHELL_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** The page without data. Its script reads the token from the URL fragment, which is not sent to the server. */
export const SHELL = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Formwire console</title>
<link rel="icon" href="console/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="console/console.css">
<script type="module" src="console/console.js"></script>
</head>
<body>
<div id="console"></div>
<noscript><p class="noscript">The console shows live data and needs JavaScript. The same data is JSON under <code>/_app</code>.</p></noscript>
</body>
</html>
`
