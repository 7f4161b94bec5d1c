import type FastCheck from 'fast-check'
import { type DrawOptions, schedulesOf } from './draw.ts'
import type { RehearsalReport, RehearseOptions } from './rehearse.ts'

export type { RehearsalKind, RehearsalProfile } from '@formwire/internal/rehearsal-kinds'
export type { DrawOptions } from './draw.ts'
export type { RehearsalEnvironment, RehearsalProgram, RehearsedProgram } from './program.ts'
export type {
  RehearsalFailure,
  RehearsalProgress,
  RehearsalReport,
  RehearsalStep,
  RehearseOptions,
} from './rehearse.ts'
export type { Schedule } from './schedule.ts'

/**
 * Rehearses a program: plays schedules of responses, failures and restarts against it, asks it what it has handled, and reduces the first schedule
 * that breaks to the shortest one. Resolves to a report, also when a run broke: check `failure`.
 *
 * @throws OptionError for an invalid option. Rejects with the error of `start` if that throws.
 * @example
 * const report = await rehearse({
 *   webhook: '/webhooks',
 *   async start({ port, webhookSecret, clock }) {
 *     const app = await startApp({ port, secret: webhookSecret, now: () => clock.now(), database })
 *     return { kill: () => app.close() }
 *   },
 *   handled: () => database.responseIds(),
 * })
 * expect(report.failure).toBeNull()
 */
export async function rehearse(options: RehearseOptions): Promise<RehearsalReport> {
  // Loaded when needed: the test kit starts without it.
  const { runRehearsal } = await import('./rehearse.ts')
  return runRehearsal(options)
}

/**
 * Returns an arbitrary of schedules, for property tests of your own. Pass the fast-check that runs them, version 4, and name the type: it is
 * that of your fast-check, whose types need not be installed.
 *
 * @example
 * const five: fc.Arbitrary<Schedule> = schedules(fc, { responses: 5 })
 * const property = fc.asyncProperty(five, async (schedule) => {
 *   const { failure } = await rehearse({ ...receiver, schedule })
 *   expect(failure).toBeNull()
 * })
 * await fc.assert(property, { numRuns: 10 })
 */
// biome-ignore lint/suspicious/noExplicitAny: an Arbitrary<Schedule> of the user's fast-check, whose types may not be installed
export const schedules = (fc: object, options: DrawOptions = {}): any =>
  schedulesOf(fc as typeof FastCheck, options)
