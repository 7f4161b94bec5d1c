import { startChild } from './child.ts'

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
  const { ready, ask, stop } = await startChild<{ port: number }>(new URL('sink.ts', import.meta.url), [
    status,
  ])
  return {
    url: `http://127.0.0.1:${ready.port}/`,
    count: () => ask('count'),
    latencies: async () => (await ask<{ latencies: number[] }>('latencies')).latencies,
    clear: () => ask('clear'),
    hold: () => ask('hold'),
    release: () => ask('release'),
    stop,
  }
}
