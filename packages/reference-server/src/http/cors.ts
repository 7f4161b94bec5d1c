import type { IncomingMessage, OutgoingMessage } from './message.ts'

/** Whether a request is a CORS preflight. Browsers send it without the key. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'OPTIONS' &&
    headers.get('origin') !== undefined &&
    headers.get('access-control-request-method') !== undefined
  )
}

/** Allows every method of the API, and the requested headers by name: `*` would not cover `Authorization`. */
export function preflightResponse({ headers }: IncomingMessage): OutgoingMessage {
  const requested = headers.get('access-control-request-headers')
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
      ...(requested !== undefined && { 'access-control-allow-headers': requested }),
      'access-control-max-age': '600',
    },
    body: null,
  }
}

/**
 * The CORS headers of `cors: 'any'`, which `finish-response.ts` adds to every API response, errors included, so that pages of
 * any origin can read it. By default none are sent (ENV-08).
 */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, WWW-Authenticate, X-Request-Id, Allow',
} as const
