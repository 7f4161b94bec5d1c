import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { Failure, usage } from '../failure.ts'
import { safeLine } from '../output/text-safety.ts'

/**
 * Asks before something is deleted, with its title. `describe` is asked for only when there is someone to answer.
 * @throws Failure exit 2 without `--yes` where nobody can be asked, exit 1 when the answer is no
 */
export async function confirmDeletion(context: Context, describe: () => Promise<string>): Promise<void> {
  const { global, runtime } = context
  if (global.yes) return
  if (runtime.stdin.isTTY !== true || runtime.stderr.isTTY !== true) {
    throw usage('deleting needs --yes where nobody can be asked; nothing was deleted', 'add --yes')
  }
  const question = `Delete ${safeLine(await describe())}? It cannot be undone. [y/N] `
  const { createInterface } = await import('node:readline/promises')
  const reader = createInterface({ input: runtime.stdin, output: runtime.stderr as never, terminal: false })
  try {
    runtime.stderr.write(question)
    const answer = await Promise.race([
      reader[Symbol.asyncIterator]()
        .next()
        .then(({ value }) => (typeof value === 'string' ? value : '')),
      new Promise<never>((_resolve, reject) => {
        runtime.stop.addEventListener('abort', () => reject(runtime.stop.reason), { once: true })
      }),
    ])
    if (/^y(?:es)?$/i.test(answer.trim())) return
  } finally {
    reader.close()
  }
  throw new Failure('nothing was deleted', { exitCode: EXIT.failed, code: 'declined' })
}
