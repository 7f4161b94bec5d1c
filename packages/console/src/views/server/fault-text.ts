import type { Fault } from '@formwire/contract/control'

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

/** Returns what a fault does, how often and where, such as `503 for the next 3 requests, GET any path`. */
export function bannerText(fault: Fault): string {
  const { method, path = 'any path', times, probability = 1 } = fault
  const share = probability >= 1 ? '' : `${Math.round(probability * 100)}% of `
  const left =
    times === undefined ? 'all requests' : `the next ${times === 1 ? 'request' : `${times} requests`}`
  return `${effectText(fault)} for ${share}${left}, ${method === undefined ? '' : `${method} `}${path}`
}
