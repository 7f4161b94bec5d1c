export { ServiceError } from '../domain/service-error.ts'
export { FakeTimersError } from '../fake-timers.ts'
export { OptionError } from '../known-names.ts'
export type { MatchOf } from '../matching/match.ts'
export type { ServiceAccess } from '../pull/client.ts'
export type { PullFrom } from '../pull/pull-from.ts'
export type { ScrubMode } from '../pull/scrub/scrubber.ts'
export {
  type DrawOptions,
  type RehearsalEnvironment,
  type RehearsalFailure,
  type RehearsalKind,
  type RehearsalProfile,
  type RehearsalProgram,
  type RehearsalProgress,
  type RehearsalReport,
  type RehearsalStep,
  type RehearsedProgram,
  type RehearseOptions,
  rehearse,
  type Schedule,
  schedules,
} from '../rehearsal/index.ts'
export type { ScheduledResponse } from '../rehearsal/schedule.ts'
export { createSeedFactory, type FormOptions, SeedFactory } from '../seed/factory.ts'
export type { SeedFaker } from '../seed/faker.ts'
export { choices, everyQuestion, makeQuestion } from '../seed/questions.ts'
export { SeedError } from '../seed/seed-error.ts'
export type * from '../types.ts'
export { type ClientOptions, type FormwireKit, type StartOptions, startFormwire } from './start.ts'
export { type FixtureTask, formwireFixture } from './vitest.ts'
export type { RecordedRequest, WaitOptions, Waits } from './waits.ts'
export { ExpectationError } from './waits.ts'
