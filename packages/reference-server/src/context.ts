import type { EventEmitter } from 'node:events'
import type { Clock } from './clock/index.ts'
import type { DomainEvent } from './domain/events.ts'
import type { ByteBudget } from './policy/byte-budget.ts'
import type { RandomSource } from './random.ts'
import type { Settings } from './settings.ts'
import type { State } from './store/state.ts'

/**
 * What every operation works on. A server has one context. A reset or a restored snapshot replaces `state`, so hold the
 * context, never one of its tables, across an `await`.
 */
export interface Context {
  readonly settings: Settings
  readonly clock: Clock
  /** Restarted by `reset`. */
  random: RandomSource
  /**
   * Bytes of the bodies being received for public forms, which need no key. Bodies that may contain files, which are larger
   * and take longer, are counted apart, so that they never cause another submission to be refused.
   */
  readonly bodyBudgets: { readonly withFiles: ByteBudget; readonly withoutFiles: ByteBudget }
  /** Changes that the delivery engine subscribes to. */
  readonly events: EventEmitter<{ change: [event: DomainEvent] }>
  state: State
}
