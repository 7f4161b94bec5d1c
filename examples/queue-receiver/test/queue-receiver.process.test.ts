import { once } from 'node:events'
import type { Server } from 'node:http'
import { traceHandlers } from '@formwire/sdk/otel'
import { createDelivery, examplePayload, type TestDelivery } from '@formwire/webhook-verify/testing'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { Queue, UnrecoverableError } from 'bullmq'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  hasRedis,
  hasRedisServer,
  OwnRedis,
  startRedis,
} from '../../../packages/sdk/test/support/redis-server.ts'
import { bundled } from '../../../test/support/bundled.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { start } from '../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { createQueueReceiver } from '../src/receiver.ts'
import { connect, QUEUE_NAME, type ResponseJob } from '../src/response-queue.ts'
import { createResponseWorker } from '../src/worker.ts'

const SIGNED_AT = new Date('2026-11-21T09:30:00.000Z')
/** Short, so that the job of a killed worker is soon available again. */
const SHORT_LOCK_MS = 2_000
/** More than a worker processes before Redis is stopped, unless the machine is busy. */
const BACKLOG = 300

describe.runIf(hasRedis)('a receiver with a queue on a real Redis', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  let queue: Queue<ResponseJob>
  let server: Server
  let url: string
  const closing: Array<() => unknown> = []

  beforeEach(async () => {
    redis = await startRedis()
    const { connection, close } = await connect(redis.url, { failsFast: true })
    queue = new Queue<ResponseJob>(QUEUE_NAME, { connection })
    queue.on('error', () => {})
    await queue.obliterate({ force: true })
    server = createQueueReceiver({ queue, secret: 'whsec_test', now: SIGNED_AT, onError: () => {} })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
    closing.push(close)
  })

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
    server.close()
    server.closeAllConnections()
    await redis.stop()
  })

  function submitted(id: number): TestDelivery {
    return createDelivery({ payload: examplePayload({ id }), timestamp: SIGNED_AT })
  }

  async function post({ headers, body }: Pick<TestDelivery, 'headers' | 'body'>): Promise<number> {
    const response = await fetch(url, { method: 'POST', headers, body })
    return response.status
  }

  /** Starts a worker in this process. Returns a function that resolves to the handled ids once there are `count`. */
  async function startWorker({
    fails = () => false,
    lockMs,
  }: {
    fails?: (id: number) => boolean
    lockMs?: number
  } = {}) {
    const { connection, close } = await connect(redis.url)
    const handled: number[] = []
    const pending: Array<() => void> = []
    const worker = createResponseWorker({
      connection,
      ...(lockMs && { lockMs }),
      handle: async ({ response }) => {
        handled.push(response.id)
        // Fails without the ten attempts, which would take minutes.
        if (fails(response.id)) throw new UnrecoverableError('no such customer')
      },
    })
    worker.on('error', () => {})
    worker.on('failed', () => {
      for (const check of pending) check()
    })
    worker.on('completed', () => {
      for (const check of pending) check()
    })
    closing.push(close, () => worker.close())
    return (count: number) =>
      new Promise<number[]>((resolve) => {
        const check = () => {
          if (handled.length >= count) resolve(handled)
        }
        pending.push(check)
        check()
      })
  }

  async function killWorkerInTheMiddle(): Promise<string> {
    const program = await bundled(new URL('stuck-worker.ts', import.meta.url))
    const { child, firstLine, finished } = start([program, redis.url, String(SHORT_LOCK_MS)], process.env)
    const line = await firstLine
    child.kill('SIGKILL')
    await finished
    return line
  }

  it('[DLV-05] responds before the response is processed', async () => {
    expect(await post(submitted(1))).toBe(200)
    expect(await queue.getJobCounts('waiting', 'active', 'completed')).toEqual({
      waiting: 1,
      active: 0,
      completed: 0,
    })
    const handled = await startWorker()
    expect(await handled(1)).toEqual([1])
  })

  it('[DLV-10] processes a repeatedly delivered response once', async () => {
    const delivery = submitted(1)
    const again = [
      delivery,
      delivery.retry(SIGNED_AT),
      delivery.replay(),
      delivery.forgeDeliveryId('dlv_forged'),
    ]
    expect(await Promise.all(again.map(post))).toEqual([200, 200, 200, 200])
    const handled = await startWorker()
    await handled(1)
    expect(await post(delivery.replay())).toBe(200)
    expect(await post(submitted(2))).toBe(200)
    expect(await handled(2)).toEqual([1, 2])
  })

  it('[DLV-08] processes a failed response again when it is replayed', async () => {
    let broken = true
    const handled = await startWorker({ fails: () => broken })
    const delivery = submitted(1)
    expect(await post(delivery)).toBe(200)
    await handled(1)
    // The count is updated shortly after the handler ends.
    await expect.poll(() => queue.getJobCounts('failed')).toEqual({ failed: 1 })
    broken = false
    expect(await post(delivery.replay())).toBe(200)
    expect(await handled(2)).toEqual([1, 1])
    await expect.poll(() => queue.getJobCounts('failed', 'completed')).toEqual({ failed: 0, completed: 1 })
  })

  it('loses no response when a worker is killed during a job', async () => {
    expect(await post(submitted(1))).toBe(200)
    expect(await killWorkerInTheMiddle()).toBe('started 1')
    expect(await post(submitted(2))).toBe(200)
    const handled = await startWorker({ lockMs: SHORT_LOCK_MS })
    expect((await handled(2)).toSorted()).toEqual([1, 2])
  })

  it('continues the trace of the receiver in the worker, and the trace of the replay after a failure', async () => {
    const exporter = new InMemorySpanExporter()
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    )
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
    const stop = traceHandlers()
    closing.push(stop, () => {
      trace.disable()
      context.disable()
      propagation.disable()
    })
    let broken = true
    await startWorker({ fails: () => broken })
    const delivery = submitted(1)
    expect(await post(delivery)).toBe(200)
    await expect.poll(() => queue.getJobCounts('failed')).toEqual({ failed: 1 })
    broken = false
    expect(await post(delivery.replay())).toBe(200)
    await expect.poll(() => queue.getJobCounts('completed')).toEqual({ completed: 1 })
    const spans = (name: string) => exporter.getFinishedSpans().filter((span) => span.name === name)
    const received = spans('process response.submitted').map((span) => span.spanContext())
    const worked = spans('work response.submitted')
    expect(worked.map((span) => span.attributes['error.type'])).toEqual(['UnrecoverableError', undefined])
    expect(worked.map((span) => span.parentSpanContext?.spanId)).toEqual(received.map(({ spanId }) => spanId))
    expect(worked.map((span) => span.spanContext().traceId)).toEqual(received.map(({ traceId }) => traceId))
    expect(new Set(received.map(({ traceId }) => traceId)).size).toBe(2)
  })

  it('[DLV-10] queues neither unsigned deliveries nor test events', async () => {
    const delivery = submitted(1)
    expect(await post({ ...delivery, body: delivery.body.replace('"id":1', '"id":2') })).toBe(401)
    expect(await post(createDelivery({ event: 'test.ping', timestamp: SIGNED_AT }))).toBe(200)
    expect(await queue.getJobCounts('waiting')).toEqual({ waiting: 0 })
  })

  it.skipIf(process.env.REDIS_URL)(
    '[DLV-06] makes the service retry while Redis is unavailable',
    async () => {
      await redis.stop()
      expect(await post(submitted(1))).toBe(500)
    },
  )
})

it.runIf(hasRedisServer)('works off a backlog after Redis was restarted under it', async () => {
  const redis = await new OwnRedis(await freePort(), temporaryDirectory()).start()
  onTestFinished(() => redis.stop())
  const { connection, close } = await connect(redis.url)
  onTestFinished(close)
  const queue = new Queue<ResponseJob>(QUEUE_NAME, { connection })
  queue.on('error', () => {})
  const data = {
    form: { title: 'Survey' },
    response: { id: 1, answers: [] },
    trace: {},
  } as unknown as ResponseJob
  // As in the receiver: to lose Redis before a job is marked as completed is a failed attempt.
  const opts = { attempts: 10 }
  await queue.addBulk(Array.from({ length: BACKLOG }, () => ({ name: 'response.submitted', data, opts })))
  const program = await bundled(new URL('../src/worker-main.ts', import.meta.url))
  const { child, firstLine } = start([program], {
    ...process.env,
    REDIS_URL: redis.url,
    LOCK_MS: String(SHORT_LOCK_MS),
    RESPONSES: temporaryDirectory(),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await firstLine
  await redis.stop()
  await redis.start()
  // The worker may already have processed the whole backlog.
  await queue.add('response.submitted', data, opts)
  // The job that was active at the kill is retried later, when its lock has expired.
  await expect
    .poll(() => queue.getJobCounts('waiting', 'active', 'delayed', 'failed', 'completed'))
    .toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0, completed: BACKLOG + 1 })
})
