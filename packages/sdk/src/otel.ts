/**
 * OpenTelemetry spans for the clients and the webhook receivers of the process. The delivery attempts of a reference server have none.
 * Requires the package `@opentelemetry/api`.
 */
import { channel } from 'node:diagnostics_channel'
import {
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { RequestMessage } from './http/diagnostics.ts'
import { VERSION } from './version.ts'

/** What `@formwire/webhook-verify` publishes about one run of a handler. The SDK does not depend on it. */
interface HandleMessage extends Pick<RequestMessage, 'run'> {
  readonly type: string
  readonly deliveryId: string | null
  error?: unknown
}

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
  { propagate = true }: { propagate?: boolean | undefined } = {},
): () => void {
  return traced<RequestMessage>('formwire:sdk:request', tracer, {
    spanOf({ method, url, attempt }) {
      const { hostname, port, protocol } = new URL(url)
      const attributes = {
        'http.request.method': method,
        'url.full': url,
        'server.address': hostname,
        'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
        ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
      }
      return [method, { kind: SpanKind.CLIENT, attributes }]
    },
    onStart({ headers }, active) {
      if (propagate) propagation.inject(active, headers)
    },
    errorOf({ status, failure }, span) {
      if (status !== undefined) span.setAttribute('http.response.status_code', status)
      return failure ?? (status !== undefined && status >= 400 ? String(status) : undefined)
    },
  })
}

/**
 * Starts a consumer span for each run of a webhook handler of `@formwire/webhook-verify`, as a child of the active span, and makes it
 * active in the handler. Returns a function that ends this.
 *
 * @param tracer @default the tracer `@formwire/webhook-verify` of the global provider
 * @example const stop = traceHandlers()
 */
export function traceHandlers(tracer: Tracer = trace.getTracer('@formwire/webhook-verify')): () => void {
  return traced<HandleMessage>('formwire:webhook:handle', tracer, {
    spanOf({ type, deliveryId }) {
      const attributes = {
        'messaging.system': 'formwire',
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'messaging.destination.name': type,
        ...(deliveryId !== null && { 'messaging.message.id': deliveryId }),
      }
      return [`process ${type}`, { kind: SpanKind.CONSUMER, attributes }]
    },
    errorOf(message) {
      if (!('error' in message)) return undefined
      // Not the message of the error, which may contain personal data.
      const { error } = message
      return error instanceof Error ? error.name : typeof error
    },
  })
}

/** How the messages of two diagnostics channels, `:start` and `:end`, become a span. */
interface Tracing<Message> {
  spanOf(message: Message): [name: string, options: SpanOptions]
  onStart?(message: Message, active: Context): void
  /** Returns the type of the error, if there was one. */
  errorOf(message: Message, span: Span): string | undefined
}

/** Traces what is published. The span is active while it runs. Returns a function that ends this. */
function traced<Message extends Pick<RequestMessage, 'run'>>(
  name: string,
  tracer: Tracer,
  { spanOf, onStart, errorOf }: Tracing<Message>,
): () => void {
  const spans = new WeakMap<object, Span>()
  const start = (published: unknown): void => {
    const message = published as Message
    const span = tracer.startSpan(...spanOf(message))
    spans.set(message, span)
    const active = trace.setSpan(context.active(), span)
    onStart?.(message, active)
    message.run = (work) => context.with(active, work)
  }
  const end = (published: unknown): void => {
    const span = spans.get(published as Message)
    if (!span) return
    const error = errorOf(published as Message, span)
    if (error !== undefined) {
      span.setAttribute('error.type', error)
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    span.end()
  }
  const [starts, ends] = [channel(`${name}:start`), channel(`${name}:end`)]
  starts.subscribe(start)
  ends.subscribe(end)
  return () => {
    starts.unsubscribe(start)
    ends.unsubscribe(end)
  }
}
