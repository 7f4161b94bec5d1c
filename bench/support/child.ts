import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A script in a process of its own, which sends one message when it is ready and one in reply to each that it gets. */
export interface Child<Ready> {
  readonly ready: Ready
  /** @throws Error if the process has ended */
  ask<Reply>(message: string): Promise<Reply>
  stop(): void
}

/** Starts a script, which must end when it is disconnected. Rejects if it ends before it is ready. */
export async function startChild<Ready>(
  script: URL,
  args: string[] = [],
  execArgv: string[] = process.execArgv,
): Promise<Child<Ready>> {
  const child = fork(script, args, { execArgv })
  const reply = async <Reply>(): Promise<Reply> => {
    const waiting = new AbortController()
    const { signal } = waiting
    const ended = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`${script.pathname} exited early with ${code ?? child.signalCode}.`)
    })
    ended.catch(() => undefined)
    try {
      return (await Promise.race([once(child, 'message', { signal }), ended]))[0]
    } finally {
      waiting.abort()
    }
  }
  return {
    ready: await reply<Ready>(),
    ask<Reply>(message: string) {
      if (!child.connected) throw new Error(`${script.pathname} has exited.`)
      child.send(message)
      return reply<Reply>()
    },
    stop() {
      if (child.connected) child.disconnect()
    },
  }
}
