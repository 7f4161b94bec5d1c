import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Sink {
  readonly url: string
  /** Different deliveries, and requests in all, since the last clear. */
  count(): Promise<{ deliveries: number; requests: number }>
  clear(): Promise<void>
  stop(): void
}

/** Starts a receiver in a process of its own. */
export async function startSink(status = '200', mode: 'answer' | 'hang' = 'answer'): Promise<Sink> {
  const child = fork(fileURLToPath(new URL('sink.ts', import.meta.url)), [status, mode], {
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
    clear: () => ask('clear'),
    stop: () => child.disconnect(),
  }
}
