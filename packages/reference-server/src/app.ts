import type { Context } from './context.ts'
import type { FaultControl } from './http/faults/faults.ts'
import type { ServerParts } from './server/parts.ts'
import { createDeliveries } from './services/deliveries.ts'
import type { Endpoints } from './services/endpoints.ts'
import { createForms } from './services/forms.ts'
import { type Actor, createKeys } from './services/keys.ts'
import { createPeople } from './services/people.ts'
import { createResponses } from './services/responses.ts'
import { readSnapshot, type Snapshot, takeSnapshot } from './services/snapshots.ts'

export interface AppParts extends Pick<ServerParts, 'context' | 'delivery' | 'faults' | 'journal'> {
  readonly webhooks: Endpoints
  /** The workspace and user that own the printed keys. */
  readonly actor: () => Actor
  /** Restores the seed. */
  readonly reset: () => void
  /** Replaces the state and drops everything that depends on the old one. Sets a manual clock to `now`. */
  readonly replaceState: (state: Context['state'], now: number | undefined) => void
}

/** The control API in process: everything that people do in the web app. The `/_app` routes are a thin layer on it. */
export interface App extends ReturnType<typeof createApp> {}

export function createApp(parts: AppParts) {
  const { context, delivery, webhooks, actor, faults, journal, reset, replaceState } = parts
  return {
    ...createPeople(context),
    keys: createKeys(context, actor),
    forms: createForms(context, actor),
    responses: createResponses(context),
    webhooks,
    deliveries: createDeliveries(context, delivery),
    faults: faults as FaultControl,
    /** The latest API requests, newest first. `get` finds one by its number or id, with headers and bodies. */
    requests: {
      list: () => journal.list(),
      get: (id: string) => journal.get(id),
      clear: () => journal.clear(),
    },
    snapshot: {
      take(): Snapshot {
        delivery.beforeRead()
        return takeSnapshot(context)
      },
      /**
       * Restores a snapshot and sets a manual clock to the instant at which it was taken. What a snapshot does not contain
       * stays: the journal, faults and mock receivers. Throws 422 for anything that is not a valid snapshot, without changing the
       * state.
       */
      restore(snapshot: object): void {
        const { state, takenAt } = readSnapshot(context.settings, snapshot as Record<string, unknown>)
        replaceState(state, takenAt)
      },
    },
    /** Restores the seed. The server's own keys keep working. */
    reset,
  }
}
