import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Sink {
  readonly url: string
  /** Different deliveries, and requests in all, since the last clear; and requests that hang. */
  count(): Promise<{ deliveries: number; requests: number; held: number }>
  /** Milliseconds from the instant that a body names (`at N ns`, of the monotonic clock) to its arrival, since the last clear. */
  latencies(): Promise<number[]>
  clear(): Promise<void>
  /** From now on the path `/held` hangs. */
  hold(): Promise<void>
  /** Answers all that hang, and those to come. */
  release(): Promise<void>
  stop(): void
}

/** Starts a receiver in a process of its own. */
export async function startSink(status = '200'): Promise<Sink> {
  const child = fork(fileURLToPath(new URL('sink.ts', import.meta.url)), [status], {
    execArgv: ['--import', 'tsx'],
  })
  const ask = async <Answer>(message: string): Promise<Answer> => {
    child.send(message)
    return (await once(child, 'message'))[0]
  }
  const [{ port }] = await once(child, 'message')
  return {
    url: `http://127.0.0.1:${port}/`,
    count: () => ask('count'),
    latencies: async () => (await ask<{ latencies: number[] }>('latencies')).latencies,
    clear: () => ask('clear'),
    hold: () => ask('hold'),
    release: () => ask('release'),
    stop: () => child.disconnect(),
  }
}
