import type { Given } from '@formwire/internal/given'
import { readFlags } from '../bin/arguments.ts'
import type { Seed } from '../seed/format.ts'
import type { Unspecified } from '../unspecified.ts'

export { SERVER_FLAGS } from '../bin/arguments.ts'
export type { Seed, SeedSource } from '../seed/format.ts'
export { SeedError, type SeedIssue } from '../seed/seed-error.ts'
export { checkSeed, type SeedCheck, type SeedDrift, type SeedLeak } from './check/check-seed.ts'
export type { PullClient } from './client.ts'
export type { PulledForm, PulledOwner, PulledResponse, PullLine, PullStore, Unknown } from './lines.ts'
export { type Pulled, pullWorkspace } from './pull.ts'
export { PullError, type PullErrorCode } from './pull-error.ts'
export type { FormReport, PullReport, QuestionReport } from './report.ts'
export type { ScrubMode } from './scrub/scrubber.ts'
export type { PullOptions } from './settings.ts'

/** Returns whether `formwire-server` serves with these words. With others, it prints its help, its version or a usage error. */
export function canServe(argv: readonly string[]): boolean {
  try {
    const { help, version } = readFlags(argv, process.env)
    return !help && !version
  } catch {
    return false
  }
}

/** Runs `formwire-server` in this process, with a pulled seed and, unless it is undefined, the behaviour observed of its service. */
export async function serveWords(
  argv: readonly string[],
  pulled?: { seed: Seed; unspecified: Given<Unspecified> | undefined },
): Promise<void> {
  const { runServer } = await import('../bin/run-server.ts')
  await runServer(argv, pulled)
}
