import { isObject, parseObject } from '@formwire/internal/json'

/** The body of a response of the API, the control API or the public link. */
export interface Envelope {
  data?: unknown
  error?: { code?: string; message?: string; details?: Record<string, unknown> } | undefined
}

/** Returns the envelope of a body; an empty one if the body is something else, such as a page. */
export function envelopeOf(body: Buffer | string): Envelope {
  const { data, error } = parseObject(body.toString()) ?? {}
  return { data, ...(isObject(error) ? { error } : {}) }
}

/** Returns what a failure says about an error response besides its message. */
export function errorFacts({ error }: Envelope, status: number) {
  return {
    code: error?.code ?? `http_${status}`,
    status,
    ...(error?.details ? { details: error.details } : {}),
  }
}
