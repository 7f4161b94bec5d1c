import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Sink {
  readonly url: string
  /** Distinct deliveries and all requests since the last `clear`, and requests that hang now. */
  count(): Promise<{ deliveries: number; requests: number; held: number }>
  /** Milliseconds from the time in each body (`at N ns`, monotonic clock) to its arrival, since the last `clear`. */
  latencies(): Promise<number[]>
  clear(): Promise<void>
  /** Makes requests to the path `/held` hang. */
  hold(): Promise<void>
  /** Responds to all hanging requests and stops holding. */
  release(): Promise<void>
  stop(): void
}

/** Starts a receiver in its own process. */
export async function startSink(status = '200'): Promise<Sink> {
  const child = fork(fileURLToPath(new URL('sink.ts', import.meta.url)), [status], {
    execArgv: ['--import', 'tsx'],
  })
  const ask = async <Reply>(message: string): Promise<Reply> => {
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
