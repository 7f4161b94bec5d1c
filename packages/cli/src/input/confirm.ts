import type { Context } from '../context.ts'
import { Stopped, usage } from '../failure.ts'
import { safeLine } from '../output/text-safety.ts'

/**
 * Prompts for confirmation before a deletion. `describe` is called only on a terminal.
 * @throws Failure exit 2 without `--yes` when stdin is not a terminal; Stopped, exit 0, when the user declines
 */
export async function confirmDeletion(context: Context, describe: () => Promise<string>): Promise<void> {
  const { global, runtime } = context
  if (global.yes) return
  if (runtime.stdin.isTTY !== true || runtime.stderr.isTTY !== true) {
    throw usage(
      'refusing to delete without confirmation: not on a terminal',
      'pass --yes to delete without confirmation',
    )
  }
  const question = `Delete ${safeLine(await describe())}? This cannot be undone. [y/N] `
  const { createInterface } = await import('node:readline/promises')
  const reader = createInterface({ input: runtime.stdin, output: runtime.stderr as never, terminal: false })
  try {
    runtime.stderr.write(question)
    const reply = await Promise.race([
      reader[Symbol.asyncIterator]()
        .next()
        .then(({ value }) => (typeof value === 'string' ? value : '')),
      new Promise<never>((_resolve, reject) => {
        runtime.stop.addEventListener('abort', () => reject(runtime.stop.reason), { once: true })
      }),
    ])
    if (/^y(?:es)?$/i.test(reply.trim())) return
  } finally {
    reader.close()
  }
  context.output.note('nothing was deleted')
  throw new Stopped('declined')
}
