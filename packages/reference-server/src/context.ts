import type { Clock } from './clock.ts'
import type { PublishEvent } from './domain/events.ts'
import type { RandomSource } from './random.ts'
import type { Settings } from './settings.ts'
import type { State } from './store/state.ts'

/**
 * What every operation works on. One server has one context; `reset`, `fork` and a snapshot put back replace `state`,
 * so hold the context, never a table of it, across an `await`.
 */
export interface Context {
  readonly settings: Settings
  readonly clock: Clock
  /** `reset` starts it over. */
  random: RandomSource
  /** Tells the delivery engine what happened. */
  readonly publish: PublishEvent
  state: State
}
