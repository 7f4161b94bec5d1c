import type { Context } from '../context.ts'
import { Stopped, usage } from '../failure.ts'
import { wordLines } from '../output/pens.ts'
import { safeLine } from '../output/text-safety.ts'
import { readVisibleLine } from './secret-input.ts'

/** Whether a question can be asked: stdin and stderr are terminals. */
export function canAsk({ runtime }: Pick<Context, 'runtime'>): boolean {
  return runtime.stdin.isTTY === true && runtime.stderr.isTTY === true
}

/** Asks a question on stderr and resolves to whether the reply was yes. @throws the reason of a stop */
async function askYesNo({ runtime }: Pick<Context, 'runtime'>, question: string): Promise<boolean> {
  const columns = runtime.stderr.columns ?? Number.POSITIVE_INFINITY
  const prompt = `${wordLines(`${question} [y/N]`, columns - 2).join('\n')} `
  const reply = await readVisibleLine(runtime, prompt).catch((error: unknown) => {
    // After the ^C that the terminal shows.
    runtime.stderr.write('\n')
    throw error
  })
  return /^y(?:es)?$/i.test(reply?.trim() ?? '')
}

/**
 * Prompts for confirmation before a deletion. `describe` is called only on a terminal.
 * @throws Failure exit 2 without `--yes` when stdin is not a terminal; Stopped, exit 0, when the user declines
 */
export async function confirmDeletion(context: Context, describe: () => Promise<string>): Promise<void> {
  if (context.global.yes) return
  if (!canAsk(context)) {
    throw usage(
      'refusing to delete without confirmation: not on a terminal',
      'pass --yes to delete without confirmation',
    )
  }
  if (await askYesNo(context, `Delete ${safeLine(await describe())}? This cannot be undone.`)) return
  context.output.note('nothing was deleted', 'calm')
  throw new Stopped('declined')
}
