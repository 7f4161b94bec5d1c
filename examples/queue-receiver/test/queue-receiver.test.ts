import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createDelivery, examplePayload, type TestDelivery } from '@formwire/webhook-verify/testing'
import { Queue, UnrecoverableError } from 'bullmq'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasRedis, startRedis } from '../../../packages/webhook-verify/test/redis-server.ts'
import { createQueueReceiver } from '../src/receiver.ts'
import { connect, QUEUE_NAME, type ResponseJob } from '../src/response-queue.ts'
import { createResponseWorker } from '../src/worker.ts'

const SIGNED_AT = new Date('2026-11-21T09:30:00.000Z')
/** Short, so that a killed worker's job is free again soon. */
const LOCK_MS = 300

describe.runIf(hasRedis)('a receiver with a queue on a real Redis', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  let queue: Queue<ResponseJob>
  let server: Server
  let url: string
  const closing: Array<() => unknown> = []

  beforeEach(async () => {
    redis = await startRedis()
    const { connection, close } = await connect(redis.url)
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
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(5000) })
    return response.status
  }

  /** A worker in this process; gives the ids it handled once there are as many as wanted. */
  async function startWorker(fails: (id: number) => boolean = () => false) {
    const { connection, close } = await connect(redis.url)
    const handled: number[] = []
    const waiting: Array<() => void> = []
    const worker = createResponseWorker({
      connection,
      lockMs: LOCK_MS,
      handle: async ({ response }) => {
        handled.push(response.id)
        // Given up without the ten attempts, which would take minutes.
        if (fails(response.id)) throw new UnrecoverableError('no such customer')
      },
    })
    worker.on('error', () => {})
    worker.on('failed', () => {
      for (const look of waiting) look()
    })
    worker.on('completed', () => {
      for (const look of waiting) look()
    })
    closing.push(close, () => worker.close())
    return (count: number) =>
      new Promise<number[]>((resolve) => {
        const look = () => {
          if (handled.length >= count) resolve(handled)
        }
        waiting.push(look)
        look()
      })
  }

  async function killWorkerInTheMiddle(): Promise<string> {
    const script = fileURLToPath(new URL('./stuck-worker.ts', import.meta.url))
    const args = ['--import', 'tsx', '--conditions=@formwire/source', script, redis.url, String(LOCK_MS)]
    const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(child.stdout?.setEncoding('utf8') as NodeJS.ReadableStream, 'data')) as [
      string,
    ]
    child.kill('SIGKILL')
    await once(child, 'exit')
    return line.trim()
  }

  it('[DLV-05] answers before anybody has worked on the response', async () => {
    expect(await post(submitted(1))).toBe(200)
    expect(await queue.getJobCounts('waiting', 'active', 'completed')).toEqual({
      waiting: 1,
      active: 0,
      completed: 0,
    })
    const handled = await startWorker()
    expect(await handled(1)).toEqual([1])
  })

  it('[DLV-10] works once on a response that is delivered again and again', async () => {
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

  it('[DLV-08] works once more on a response that was given up, when it is replayed', async () => {
    let broken = true
    const handled = await startWorker(() => broken)
    const delivery = submitted(1)
    expect(await post(delivery)).toBe(200)
    await handled(1)
    // A job is counted just after its handler has ended.
    await expect.poll(() => queue.getJobCounts('failed')).toEqual({ failed: 1 })
    broken = false
    expect(await post(delivery.replay())).toBe(200)
    expect(await handled(2)).toEqual([1, 1])
    await expect.poll(() => queue.getJobCounts('failed', 'completed')).toEqual({ failed: 0, completed: 1 })
  })

  it('loses nothing when a worker is killed in the middle of a job', async () => {
    expect(await post(submitted(1))).toBe(200)
    expect(await killWorkerInTheMiddle()).toBe('started 1')
    expect(await post(submitted(2))).toBe(200)
    const handled = await startWorker()
    expect((await handled(2)).toSorted()).toEqual([1, 2])
  })

  it('[DLV-10] queues nothing that is not signed, and nothing of a test event', async () => {
    const delivery = submitted(1)
    expect(await post({ ...delivery, body: delivery.body.replace('"id":1', '"id":2') })).toBe(401)
    expect(await post(createDelivery({ event: 'test.ping', timestamp: SIGNED_AT }))).toBe(200)
    expect(await queue.getJobCounts('waiting')).toEqual({ waiting: 0 })
  })

  it.skipIf(process.env.REDIS_URL)('[DLV-06] has a delivery sent again while Redis is away', async () => {
    await redis.stop()
    expect(await post(submitted(1))).toBe(500)
  })
})
