import type { Context } from '../context.ts'

/** Whether a question can be asked: stdin and stderr are terminals. */
export function canAsk({ runtime }: Pick<Context, 'runtime'>): boolean {
  return runtime.stdin.isTTY === true && runtime.stderr.isTTY === true
}

/** Asks a question on stderr and resolves to whether the reply was yes. @throws the reason of a stop */
export async function askYesNo({ runtime }: Pick<Context, 'runtime'>, question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises')
  const reader = createInterface({ input: runtime.stdin, output: runtime.stderr as never, terminal: false })
  const over = new AbortController()
  try {
    runtime.stderr.write(`${question} [y/N] `)
    const reply = await Promise.race([
      reader[Symbol.asyncIterator]()
        .next()
        .then(({ value }) => (typeof value === 'string' ? value : '')),
      new Promise<never>((_resolve, reject) => {
        const onAbort = (): void => {
          // After the ^C that the terminal shows.
          runtime.stderr.write('\n')
          reject(runtime.stop.reason)
        }
        runtime.stop.addEventListener('abort', onAbort, { once: true, signal: over.signal })
      }),
    ])
    return /^y(?:es)?$/i.test(reply.trim())
  } finally {
    over.abort()
    reader.close()
  }
}
