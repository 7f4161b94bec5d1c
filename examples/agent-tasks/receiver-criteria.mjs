/** What is required of every webhook receiver. */
import { isDeepStrictEqual } from 'node:util'
import { unmet } from './workbench.mjs'

/** Of endpoints that exist only in a grading. */
export const SECRET = 'whsec_agent_tasks'

/** Requires that genuine deliveries are accepted, in every way in which their JSON and headers can be written. */
export const requireGenuine = (checks) =>
  checks(
    ...['genuine', 'test_ping', 'pretty_printed', 'non_ascii', 'chunked', 'large_body', 'unknown_event'],
    ...['unknown_fields', 'header_case', 'fast_enough'],
  )

/** Requires that forged and tampered deliveries are refused. */
export const requireNoForgery = (checks) =>
  checks(
    ...['tampered_body', 'reserialized_body', 'wrong_secret', 'missing_signature', 'missing_timestamp'],
    ...['signature_without_prefix', 'empty_body', 'truncated_signature'],
  )

/** Requires that a route returns the JSON that it is sent. */
export async function jsonRouteWorks(url, method = 'POST') {
  const sent = { name: 'Zoë', tags: ['a', 'b'] }
  const headers = { 'Content-Type': 'application/json' }
  const what = `${method} ${new URL(url).pathname}`
  const response = await fetch(url, { method, headers, body: JSON.stringify(sent) }).catch((error) =>
    unmet(`${what} gets no response: ${error.cause?.code}`),
  )
  const text = await response.text()
  const returned = response.ok && isDeepStrictEqual(parsed(text), sent)
  if (!returned) unmet(`${what} returned ${response.status} ${text.slice(0, 80)}`)
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
