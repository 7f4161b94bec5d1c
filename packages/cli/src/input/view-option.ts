import type { OptionSpec, OptionsOf } from '../command.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'
import { isCi } from '../output/output.ts'
import type { Runtime } from '../runtime.ts'

/** How rows are shown. */
const VIEWS = ['live', 'lines', 'quiet'] as const

export type ViewName = (typeof VIEWS)[number]

export const VIEW = {
  name: 'view',
  value: 'view',
  description:
    'live (default on a terminal), lines (default elsewhere), or quiet: announcements and errors only',
  choices: VIEWS,
} as const satisfies OptionSpec

/**
 * Returns the view of a run. @default `live` on a terminal, unless `preferLines`, `--count` or `--json`. @throws Failure exit 2 for
 * `--view live` without a terminal, or with `--json` or `--count`
 */
export function viewOf(
  { runtime, output }: Context,
  { view, count }: OptionsOf<[typeof VIEW]> & { count?: number | undefined },
  preferLines = count !== undefined,
): ViewName {
  const canBeLive = liveTerminal(runtime)
  if (view === 'live' && output.json) throw usage('--view live cannot be combined with --json')
  if (view === 'live' && !canBeLive)
    throw usage(
      '--view live requires a terminal',
      'stdin and stdout must be terminals, TERM not dumb, and CI not set',
    )
  if (view === 'live' && count !== undefined) throw usage('--view live cannot be combined with --count')
  return view ?? (canBeLive && !output.json && !preferLines ? 'live' : 'lines')
}

/** Whether to show a live view: stdin and stdout are terminals, not TERM=dumb, and not in CI. */
function liveTerminal({ stdin, stdout, env }: Runtime): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && env.TERM !== 'dumb' && !isCi(env)
}
