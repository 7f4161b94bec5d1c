import type { Context } from '../context.ts'
import type { DeliveryService } from '../delivery/index.ts'
import { createDeliveries } from './deliveries.ts'
import type { Faults } from './faults.ts'
import { createForms } from './forms.ts'
import type { Journal } from './journal.ts'
import { type Actor, createKeys } from './keys.ts'
import { createPeople } from './people.ts'
import { createResponses } from './responses.ts'
import { readSnapshot, type Snapshot, takeSnapshot } from './snapshot.ts'
import { createWebhooks } from './webhooks.ts'

export interface AppParts {
  readonly context: Context
  readonly delivery: DeliveryService
  /** Workspace and user of the first line. */
  readonly actor: () => Actor
  readonly faults: Faults
  readonly journal: Journal
  /** Back to the seed. */
  readonly reset: () => void
  /** Takes another state, and lets everything that hangs on the old one go. A manual clock is set to `now`. */
  readonly replaceState: (state: Context['state'], now: number | undefined) => void
}

/** Everything that people do "in the app", typed. The `/_app` routes are a thin layer on it. */
export type App = ReturnType<typeof createApp>

export function createApp({ context, delivery, actor, faults, journal, reset, replaceState }: AppParts) {
  return {
    ...createPeople(context),
    keys: createKeys(context, actor),
    forms: createForms(context, actor),
    responses: createResponses(context),
    webhooks: createWebhooks(context, delivery),
    deliveries: createDeliveries(context, delivery),
    faults,
    /** The latest API requests, newest first, for assertions. */
    requests: { list: () => journal.list(), clear: () => journal.clear() },
    snapshot: {
      take: (): Snapshot => takeSnapshot(context),
      /**
       * Puts a snapshot back; a manual clock stands where it stood when it was taken. Throws 422 for what is none, and
       * changes nothing then.
       */
      restore(snapshot: object): void {
        const { state, takenAt } = readSnapshot(context, snapshot as Record<string, unknown>)
        replaceState(state, takenAt)
      },
    },
    /** Back to the seed; the keys of the first line go on working. */
    reset,
  }
}
