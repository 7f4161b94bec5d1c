/** What a handler's status usually means, and where to look; undefined for success. */
export function statusAdvice(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400)
    return 'redirects are not followed and count as failure: forward to the final URL'
  switch (status) {
    case 400:
      return 'the handler could not read the request: is the body parsed before the signature is checked, or the header lost?'
    case 401:
    case 403:
      return 'the handler refused the signature: does it check the raw bytes, with the secret of this endpoint, whsec_ included?'
    case 404:
    case 405:
      return 'no such route: check path and method of --forward-to; deliveries come as POST'
    case 408:
    case 504:
      return 'the handler is too slow: answer 2xx within 10 seconds and do the work afterwards'
    case 413:
      return "the handler's body limit is too small for this response"
    case 429:
      return 'the handler limits its rate; the delivery is tried again later'
    default:
      return status >= 500
        ? 'the handler failed: see its own log; the delivery is tried again later'
        : 'anything but a 2xx counts as failure; the delivery is tried again later'
  }
}
