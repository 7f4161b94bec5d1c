/**
 * Returns the headers of a page and its files, whose texts are untrusted. They allow only files of this server: no inline
 * scripts or styles, no framing, and no markup from text (Trusted Types).
 *
 * @param directives What the policy says about frames, forms and base URLs.
 */
export const pageHeaders = (...directives: string[]): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    ...directives,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
})
