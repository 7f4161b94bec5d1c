import type { Fault, FaultInForce } from '@formwire/contract/control'

/** Returns what a fault does, such as `503` or `delay 3000 ms`. */
export function effectText(fault: Fault): string {
  const effects = [
    fault.status === undefined ? '' : String(fault.status),
    fault.delay_ms === undefined ? '' : `delay ${fault.delay_ms} ms`,
    fault.reset ? `reset ${fault.reset === true ? 'before' : fault.reset}` : '',
    fault.truncate ? 'truncate' : '',
    fault.content_type === undefined ? '' : 'content type',
    fault.drip_ms === undefined ? '' : `drip ${fault.drip_ms} ms`,
  ].filter(Boolean)
  return effects.join(', ') || 'count only'
}

/** Returns the requests that a fault applies to: `GET /api/v1/me`, `/f/*`, `all GET requests` or `all requests`. */
export function targetText({ method, path }: FaultInForce): string {
  if (path === undefined) return method === undefined ? 'all requests' : `all ${method} requests`
  return method === undefined ? path : `${method} ${path}`
}

/** Returns how often a fault still applies. */
export function timesText({ times, probability }: FaultInForce): string {
  const share = probability === undefined || probability >= 1 ? '' : `${Math.round(probability * 100)}% of `
  return times === undefined
    ? `${share}all requests`
    : `${share}the next ${times === 1 ? 'request' : `${times} requests`}`
}

/** Returns what a fault does, how often and where, such as `503 for the next 3 requests, any path`. */
export function bannerText(fault: FaultInForce): string {
  const target = targetText({ ...fault, path: fault.path ?? 'any path' })
  return `${effectText(fault)} for ${timesText(fault)}, ${target}`
}
