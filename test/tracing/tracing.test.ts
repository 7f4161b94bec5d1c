import { channel } from 'node:diagnostics_channel'
import { startFormwire } from '@formwire/reference-server/testing'
import { Formwire, NotFoundError, type RequestMessage } from '@formwire/sdk'
import { traceHandlers, traceRequests } from '@formwire/sdk/otel'
import { undiciTransport } from '@formwire/sdk/undici'
import { createReceiver } from '@formwire/webhook-verify/fetch'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const exporter = new InMemorySpanExporter()
const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer(
  'test',
)

beforeEach(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
})

afterEach(() => {
  exporter.reset()
  context.disable()
  propagation.disable()
})

/** Subscribes until the function returned is called. */
function listen(name: string, listener: (message: unknown) => void): () => void {
  channel(name).subscribe(listener)
  return () => channel(name).unsubscribe(listener)
}

describe('spans of the SDK', () => {
  it('has one for each attempt, with the HTTP attributes, and sends its trace context', async () => {
    await using kit = await startFormwire()
    const stop = traceRequests(tracer)
    const sent: (string | null)[] = []
    const fetch = (request: Request): Promise<Response> => {
      sent.push(request.headers.get('traceparent'))
      return kit.server.fetch(request)
    }
    const formwire = new Formwire({ ...kit.clientOptions, fetch, random: () => 0 })
    kit.server.app.faults.add({ path: '/api/v1/me', status: 503, times: 1 })
    await tracer.startActiveSpan('job', async (job) => {
      await formwire.me()
      await expect(formwire.forms.get('abcdefghijkl')).rejects.toThrow(NotFoundError)
      job.end()
    })
    stop()
    await formwire.me()
    const [first, second, third, job] = exporter.getFinishedSpans()
    expect(exporter.getFinishedSpans()).toHaveLength(4)
    expect(first?.kind).toBe(SpanKind.CLIENT)
    expect([first?.name, first?.attributes, first?.status.code]).toEqual([
      'GET',
      {
        'http.request.method': 'GET',
        'url.full': 'http://formwire.test/api/v1/me',
        'server.address': 'formwire.test',
        'server.port': 80,
        'http.response.status_code': 503,
        'error.type': '503',
      },
      SpanStatusCode.ERROR,
    ])
    expect(second?.attributes).toMatchObject({
      'http.request.resend_count': 1,
      'http.response.status_code': 200,
    })
    expect(second?.status.code).toBe(SpanStatusCode.UNSET)
    expect(third?.attributes).toMatchObject({ 'error.type': '404' })
    const { traceId } = job?.spanContext() ?? {}
    const ids = [first, second, third].map((span) => span?.spanContext().spanId)
    expect(sent).toEqual([...ids.map((id) => `00-${traceId}-${id}-01`), null])
    expect(first?.parentSpanContext?.spanId).toBe(job?.spanContext().spanId)
  })

  it.each([
    ['fetch', undefined],
    ['undici', undiciTransport()],
  ])(
    'is active during the attempt, so that the span of an instrumentation of %s is its child',
    async (_of, transport) => {
      await using kit = await startFormwire()
      const { url: baseUrl } = await kit.server.listen({ port: 0 })
      const stop = traceRequests(tracer)
      // Like @opentelemetry/instrumentation-undici.
      const stopUndici = listen('undici:request:create', () => tracer.startSpan('undici').end())
      await new Formwire({ apiKey: kit.server.writeKey, baseUrl, transport }).me()
      stop()
      stopUndici()
      const [inner, attempt, ...others] = exporter.getFinishedSpans()
      expect(others).toEqual([])
      expect([inner?.name, attempt?.name]).toEqual(['undici', 'GET'])
      expect(inner?.parentSpanContext?.spanId).toBe(attempt?.spanContext().spanId)
    },
  )

  it('leaves the trace context to the span of an instrumentation with propagate: false', async () => {
    await using kit = await startFormwire()
    const { url: baseUrl } = await kit.server.listen({ port: 0 })
    const sent: string[] = []
    const stop = traceRequests(tracer, { propagate: false })
    // Like @opentelemetry/instrumentation-undici, which adds the header whether or not the request has one.
    const stopUndici = listen('undici:request:create', (message) => {
      const { request } = message as {
        request: { addHeader(name: string, value: string): void; headers: string }
      }
      request.addHeader('traceparent', '00-of-undici')
      sent.push(
        ...([request.headers]
          .flat()
          .join()
          .match(/traceparent/g) ?? []),
      )
    })
    await new Formwire({ apiKey: kit.server.writeKey, baseUrl }).me()
    stop()
    stopUndici()
    expect(sent).toEqual(['traceparent'])
  })

  it('names a connection failure', async () => {
    const stop = traceRequests(tracer)
    const fetch = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'))
    await new Formwire({ apiKey: 'svc_k', fetch, maxRetries: 0 }).me().catch(() => {})
    stop()
    expect(exporter.getFinishedSpans()[0]?.attributes).toMatchObject({ 'error.type': 'connection' })
  })
})

describe('diagnostics channels', () => {
  it('[AUTH-02] never contain the key, and their subscribers cannot replace it', async () => {
    const messages: RequestMessage[] = []
    const authorizations: (string | null)[] = []
    const stop = listen('formwire:sdk:request:start', (message) => {
      const { headers } = message as RequestMessage
      headers.Authorization = 'Bearer other'
      headers['x-extra'] = 'yes'
      messages.push(message as RequestMessage)
    })
    const fetch = async (request: Request): Promise<Response> => {
      authorizations.push(request.headers.get('authorization'), request.headers.get('x-extra'))
      return Response.json({ data: {} })
    }
    await new Formwire({ apiKey: 'svc_secret', fetch }).me()
    stop()
    expect(authorizations).toEqual(['Bearer svc_secret', 'yes'])
    expect(JSON.stringify(messages)).not.toContain('svc_secret')
  })

  it('ignores headers of a subscriber that are not valid in HTTP', async () => {
    const stop = listen('formwire:sdk:request:start', (message) => {
      ;(message as RequestMessage).headers['bad\r\nname'] = 'x'
    })
    const fetch = async (): Promise<Response> => Response.json({ data: { ok: true } })
    expect(await new Formwire({ apiKey: 'svc_k', fetch }).me()).toEqual({ ok: true })
    stop()
  })

  it('publishes each delivery attempt of the engine', async () => {
    const messages: unknown[] = []
    const stops = ['start', 'end'].map((end) =>
      listen(`formwire:delivery:attempt:${end}`, (message) =>
        messages.push([end, { ...(message as object) }]),
      ),
    )
    await using kit = await startFormwire({ receiver: { script: ['500', '200'] } })
    const form = kit.server.app.forms.create({
      title: 'F',
      questions: [{ id: 's', type: 'rating', title: 'Stars' }],
    })
    kit.server.app.forms.publish(form.id)
    const { id: endpointId } = await kit.connectReceiver(form.id)
    kit.server.app.responses.create(form.id, { answers: [], deliver: true })
    await kit.server.clock.advance('1h')
    const [{ id: deliveryId } = { id: '' }] = kit.server.app.deliveries.list(form.id, endpointId)
    for (const stop of stops) stop()
    expect(messages).toEqual([
      ['start', { deliveryId, endpointId, attempt: 1 }],
      ['end', { deliveryId, endpointId, attempt: 1, httpStatus: 500, error: 'http_500' }],
      ['start', { deliveryId, endpointId, attempt: 2 }],
      ['end', { deliveryId, endpointId, attempt: 2, httpStatus: 200, error: null }],
    ])
  })
})

describe('spans of a receiver', () => {
  it('has one for each run of a handler, active inside it, so that its trace context can go through a queue', async () => {
    const stop = traceHandlers(tracer)
    const queue: Record<string, string>[] = []
    const delivery = createDelivery()
    const receive = createReceiver({
      secret: delivery.secret,
      on: {
        'response.submitted': async () => {
          await Promise.resolve()
          const job: Record<string, string> = {}
          propagation.inject(context.active(), job)
          queue.push(job)
        },
      },
    })
    expect((await receive(delivery.toRequest())).status).toBe(200)
    stop()
    expect((await receive(delivery.toRequest())).status).toBe(200)
    const [handled, ...others] = exporter.getFinishedSpans()
    expect(others).toEqual([])
    expect([handled?.name, handled?.kind]).toEqual(['process response.submitted', SpanKind.CONSUMER])
    expect(handled?.attributes).toEqual({
      'messaging.system': 'formwire',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'response.submitted',
      'messaging.message.id': delivery.deliveryId,
    })
    const worker = trace.getSpanContext(propagation.extract(context.active(), queue[0]))
    expect(worker).toMatchObject({
      traceId: handled?.spanContext().traceId,
      spanId: handled?.spanContext().spanId,
    })
    expect(queue[1]).toEqual({})
  })

  it('marks a failed handler without its message', async () => {
    const stop = traceHandlers(tracer)
    const delivery = createDelivery()
    const fail = () => Promise.reject(new RangeError('ada@example.com'))
    const receive = createReceiver({
      secret: delivery.secret,
      on: { 'response.submitted': fail },
      onError: () => {},
    })
    expect((await receive(delivery.toRequest())).status).toBe(500)
    stop()
    const [span] = exporter.getFinishedSpans()
    expect([span?.status.code, span?.attributes['error.type']]).toEqual([SpanStatusCode.ERROR, 'RangeError'])
    expect(JSON.stringify([span?.attributes, span?.events])).not.toContain('ada@')
  })
})
