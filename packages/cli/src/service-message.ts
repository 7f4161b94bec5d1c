/** An error of the SDK for a response of the service. */
export interface ServiceError extends Error {
  status?: unknown
  code?: unknown
  requestId?: unknown
  method?: unknown
  path?: unknown
}

/**
 * Returns the message of the service with the status and code, but without the request and its id, which are for `--verbose`
 * and `--json`. Undefined if the error has none.
 */
export function serviceMessage(error: ServiceError): string | undefined {
  const { method, path, status, code, requestId, message } = error
  const prefix = `${method} ${path} returned ${status} ${code}: `
  if (!message.startsWith(prefix)) return undefined
  const suffix = ` Request id: ${requestId}.`
  const end = message.endsWith(suffix) ? message.length - suffix.length : message.length
  return `${message.slice(prefix.length, end).replace(/\.$/, '')} (${status} ${code})`
}
