import type { Context } from '../context.ts'
import { ServiceError } from '../http/errors.ts'
import { State, type StateDump } from '../store/state.ts'

/** The whole state as JSON. It holds key hashes and endpoint secrets: keep it as one keeps a secret. */
export interface Snapshot {
  readonly formwire: 'snapshot'
  readonly warning: string
  readonly taken_at: string
  readonly state: StateDump
}

/** The state as it stands. */
export function takeSnapshot(context: Context): Snapshot {
  return {
    formwire: 'snapshot',
    warning: 'Holds API key hashes and webhook secrets.',
    taken_at: new Date(context.clock.now()).toISOString(),
    state: context.state.dump(),
  }
}

/** The state of a snapshot, with or without the envelope it came in. Throws 422 for what is none. */
export function readSnapshot(context: Context, input: Readonly<Record<string, unknown>>): State {
  const snapshot = (isObject(input.data) ? input.data : input) as Partial<Snapshot>
  if (snapshot.formwire !== 'snapshot' || !isObject(snapshot.state)) {
    throw new ServiceError('validation_failed', 'This is no snapshot: send what GET /_app/snapshot answered.')
  }
  if (snapshot.state.version !== 1) {
    throw new ServiceError('validation_failed', 'The snapshot is of another version of the server.')
  }
  try {
    return State.load(snapshot.state, context.settings.unspecified)
  } catch {
    // Nothing has been replaced yet: a damaged snapshot leaves the server as it was.
    throw new ServiceError('validation_failed', 'The snapshot is damaged: take a new one.')
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
