import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

/** The trace context of a job as W3C headers, such as `traceparent`. Empty while nothing is traced. */
export type TraceContext = Record<string, string>

/** Returns the trace context to put into a message, so that its work continues the trace. */
export function currentTraceContext(): TraceContext {
  const headers: TraceContext = {}
  propagation.inject(context.active(), headers)
  return headers
}

/** Runs the work of a message in a consumer span, a child of the span that was active when the message was sent. */
export function continueTrace<Result>(
  sent: TraceContext,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  // The global provider, looked up each time: without one, the span does nothing.
  const tracer = trace.getTracer('queue-receiver')
  const parent = propagation.extract(context.active(), sent)
  return tracer.startActiveSpan(name, { kind: SpanKind.CONSUMER }, parent, async (span) => {
    try {
      return await work()
    } catch (error) {
      // Not the message of the error, which may contain personal data.
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}
