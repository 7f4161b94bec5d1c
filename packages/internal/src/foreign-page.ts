/** What is read of an error response; of any copy of the SDK, so by shape. */
interface ErrorResponse {
  status?: unknown
  envelope?: unknown
  headers?: { get(name: string): string | null }
  contentType?: unknown
}

/**
 * Whether an error response is a page of a proxy or an ingress, whatever its status: it lacks the error envelope of the service. The
 * service itself may send a 429, and a 401 with `WWW-Authenticate: Bearer`, without a body.
 */
export function isForeignPage(error: unknown): boolean {
  const { status, envelope, headers } = Object(error) as ErrorResponse
  if (envelope !== false || status === 429) return false
  return status !== 401 || !/(?:^|,)\s*bearer\b/i.test(headers?.get('www-authenticate') ?? '')
}

/** Names such a page by its status and media type. */
export function foreignPageText(error: object): string {
  const { status, headers, contentType = headers?.get('content-type') } = error as ErrorResponse
  const type = String(contentType ?? '').split(';')[0]
  return `a page that is not from the service: ${status}, ${type === '' ? 'without a content type' : type}`
}
