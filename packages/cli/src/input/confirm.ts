import type { Context } from '../context.ts'
import { Stopped, usage } from '../failure.ts'
import { safeLine } from '../output/text-safety.ts'
import { askYesNo, canAsk } from './ask.ts'

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
  context.output.note('nothing was deleted')
  throw new Stopped('declined')
}
