import { channel } from 'node:diagnostics_channel'
import {
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { RequestMessage } from '../http/diagnostics.ts'
import { VERSION } from '../version.ts'

/**
 * Starts a client span for each attempt, with the standard HTTP attributes, as a child of the active span, and sends its trace
 * context in the headers of the request. The span is active during the attempt, so that those of other instrumentations, such as
 * undici's, become its children. Returns a function that ends this.
 *
 * @param tracer @default the tracer `@formwire/sdk` of the global provider
 * @param options.propagate Whether to send the trace context. Set it to false beside `@opentelemetry/instrumentation-undici`, which sends that of
 *   its own span: a request with two `traceparent` headers belongs to no trace. @default true
 * @example const stop = traceRequests()
 */
export function traceRequests(
  tracer: Tracer = trace.getTracer('@formwire/sdk', VERSION),
  { propagate = true }: { propagate?: boolean } = {},
): () => void {
  const spans = new WeakMap<object, Span>()

  const start = (message: unknown): void => {
    const { method, url, attempt, headers } = message as RequestMessage
    const { hostname, port, protocol } = new URL(url)
    const span = tracer.startSpan(method, {
      kind: SpanKind.CLIENT,
      attributes: {
        'http.request.method': method,
        'url.full': url,
        'server.address': hostname,
        'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
        ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
      },
    })
    spans.set(message as object, span)
    const active = trace.setSpan(context.active(), span)
    if (propagate) propagation.inject(active, headers)
    ;(message as RequestMessage).run = (send) => context.with(active, send)
  }

  const end = (message: unknown): void => {
    const { status, failure } = message as RequestMessage
    const span = spans.get(message as object)
    if (status !== undefined) span?.setAttribute('http.response.status_code', status)
    const error = failure ?? (status !== undefined && status >= 400 ? String(status) : undefined)
    if (error !== undefined) {
      span?.setAttribute('error.type', error)
      span?.setStatus({ code: SpanStatusCode.ERROR })
    }
    span?.end()
  }

  const channels = [
    [channel('formwire:sdk:request:start'), start],
    [channel('formwire:sdk:request:end'), end],
  ] as const
  for (const [one, listener] of channels) one.subscribe(listener)
  return () => {
    for (const [one, listener] of channels) one.unsubscribe(listener)
  }
}
