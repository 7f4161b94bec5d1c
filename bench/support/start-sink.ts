import { startChild } from './child.ts'

export type Sink = Awaited<ReturnType<typeof startSink>>

/** Starts a receiver in its own process. */
export async function startSink(status = '200') {
  const script = new URL('sink.ts', import.meta.url)
  const { ready, ask, stop } = await startChild<{ port: number }>(script, [status])
  return {
    url: `http://127.0.0.1:${ready.port}/`,
    /** Distinct deliveries and all requests since the last `clear`, and requests that hang now. */
    count: () => ask<{ deliveries: number; requests: number; held: number }>('count'),
    /** Milliseconds from the time in each body (`at N ns`, monotonic clock) to its arrival, since the last `clear`. */
    latencies: async () => (await ask<{ latencies: number[] }>('latencies')).latencies,
    clear: () => ask('clear'),
    /** Makes requests to the path `/held` hang. */
    hold: () => ask('hold'),
    /** Responds to all hanging requests and stops holding. */
    release: () => ask('release'),
    stop,
  }
}
