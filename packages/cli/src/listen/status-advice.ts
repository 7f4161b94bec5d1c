/**
 * Returns the usual cause of a handler's response status and what to check; undefined for 2xx. `secret` says where the
 * handler's secret comes from; `isRetried`: whether the delivery is sent again.
 */
export function statusAdvice(
  status: number,
  secret = 'the secret of this endpoint, including whsec_',
  isRetried = true,
): string | undefined {
  if (status >= 200 && status < 300) return undefined
  const next = isRetried ? '; the delivery is retried later' : ''
  if (status >= 300 && status < 400)
    return 'redirects are not followed and count as failures: forward to the final URL'
  switch (status) {
    case 400:
      return 'the handler rejected the request: check that it verifies the raw body before parsing it, and that no header is lost'
    case 401:
    case 403:
      return `the handler refused the signature: check that it verifies the raw bytes with ${secret}`
    case 404:
    case 405:
      return 'no such route: check the path of --forward-to, and that the handler accepts POST'
    case 408:
    case 504:
      return 'the handler is too slow: respond with 2xx within 10 seconds, then process'
    case 413:
      return "the handler's body limit is too small for this response"
    case 429:
      return `the handler is rate limiting${next}`
    default:
      return status >= 500
        ? `the handler failed: check its log${next}`
        : `any status other than 2xx counts as a failure${next}`
  }
}
