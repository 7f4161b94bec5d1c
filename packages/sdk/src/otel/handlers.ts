import { channel } from 'node:diagnostics_channel'
import { context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'

/** What `@formwire/webhook-verify` publishes about one run of a handler. The SDK does not depend on it. */
interface HandleMessage {
  readonly type: string
  readonly deliveryId: string | null
  error?: unknown
  run?: <Result>(handle: () => Result) => Result
}

/**
 * Starts a consumer span for each run of a webhook handler of `@formwire/webhook-verify`, as a child of the active span, and makes it
 * active in the handler. Returns a function that ends this.
 *
 * @param tracer @default the tracer `@formwire/webhook-verify` of the global provider
 * @example const stop = traceHandlers()
 */
export function traceHandlers(tracer: Tracer = trace.getTracer('@formwire/webhook-verify')): () => void {
  const spans = new WeakMap<object, Span>()

  const start = (published: unknown): void => {
    const message = published as HandleMessage
    const { type, deliveryId } = message
    const span = tracer.startSpan(`process ${type}`, {
      kind: SpanKind.CONSUMER,
      attributes: {
        'messaging.system': 'formwire',
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'messaging.destination.name': type,
        ...(deliveryId !== null && { 'messaging.message.id': deliveryId }),
      },
    })
    spans.set(message, span)
    const active = trace.setSpan(context.active(), span)
    message.run = (handle) => context.with(active, handle)
  }

  const end = (published: unknown): void => {
    const message = published as HandleMessage
    const span = spans.get(message)
    if ('error' in message) {
      // Not the message of the error, which may contain personal data.
      const { error } = message
      span?.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
      span?.setStatus({ code: SpanStatusCode.ERROR })
    }
    span?.end()
  }

  const channels = [
    [channel('formwire:webhook:handle:start'), start],
    [channel('formwire:webhook:handle:end'), end],
  ] as const
  for (const [one, listener] of channels) one.subscribe(listener)
  return () => {
    for (const [one, listener] of channels) one.unsubscribe(listener)
  }
}
