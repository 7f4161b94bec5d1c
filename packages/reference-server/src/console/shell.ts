import { pageHeaders } from '../http/page-headers.ts'

/** Sent with the shell and each of its files. Answers and titles are untrusted input, and the tab has the admin token. */
export const SHELL_HEADERS: Readonly<Record<string, string>> = {
  // The frame is the preview of a form.
  ...pageHeaders("frame-src 'self'", "base-uri 'none'", "form-action 'none'"),
  'cross-origin-resource-policy': 'same-origin',
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
