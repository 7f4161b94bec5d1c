import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { Failure, usage } from '../failure.ts'
import { safeLine } from '../output/text-safety.ts'
import { askYesNo, canAsk } from './ask.ts'

/**
 * Prompts for confirmation before a deletion. `describe` is called only on a terminal.
 * @throws Failure exit 2 without `--yes` when stdin is not a terminal, exit 1 when the user declines
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
  throw new Failure('cancelled: nothing was deleted', { exitCode: EXIT.failed, code: 'declined' })
}
