import type { EventEmitter } from 'node:events'
import type { EventForm } from '@formwire/contract'
import type { Clock } from './clock/index.ts'
import type { ResponseRecord } from './domain/response.ts'
import type { ByteBudget } from './policy/byte-budget.ts'
import type { RandomSource } from './random.ts'
import type { Settings } from './settings.ts'
import type { State } from './store/state.ts'

/** A change in the domain that creates or stops deliveries. */
export type DomainEvent =
  | {
      /** A response was submitted, or back-filled with `deliver: true` (DLV-01). */
      type: 'response.submitted'
      /** `title` is the dashboard title. */
      form: EventForm
      response: ResponseRecord
    }
  | { type: 'response.deleted'; formId: string; responseId: number }
  | { type: 'form.trashed'; formId: string }

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
