import type { Context } from '../context.ts'
import { invalid, ServiceError } from '../http/errors.ts'
import { parseInstant } from '../http/instant.ts'
import { checkDump, DumpError } from '../store/check-dump.ts'
import { checkReferences } from '../store/check-references.ts'
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

/** What a snapshot brings back. */
export interface SnapshotContent {
  readonly state: State
  /** Instant at which it was taken; `undefined` when that cannot be read. */
  readonly takenAt: number | undefined
}

/**
 * What a snapshot holds, with or without the envelope it came in. Throws 422 for what is none; `details.field` is the
 * path of what is wrong.
 */
export function readSnapshot(context: Context, input: Readonly<Record<string, unknown>>): SnapshotContent {
  const snapshot = (isObject(input.data) ? input.data : input) as Partial<Snapshot>
  if (snapshot.formwire !== 'snapshot' || !isObject(snapshot.state)) {
    throw new ServiceError('validation_failed', 'This is no snapshot: send what GET /_app/snapshot answered.')
  }
  if (snapshot.state.version !== STATE_VERSION) {
    throw invalid(
      'state.version',
      `state.version is ${JSON.stringify(snapshot.state.version)}, this server reads ${STATE_VERSION}: ` +
        'the snapshot was taken by another version of the server, take it anew.',
    )
  }
  try {
    checkDump(snapshot.state)
    checkReferences(snapshot.state)
    const takenAt = typeof snapshot.taken_at === 'string' ? parseInstant(snapshot.taken_at) : undefined
    return { state: State.load(snapshot.state, context.settings.unspecified), takenAt }
  } catch (error) {
    // Nothing has been replaced yet: a damaged snapshot leaves the server as it was.
    if (error instanceof DumpError) {
      throw invalid(error.path, `The snapshot is damaged: ${error.path} ${error.message}. Take a new one.`)
    }
    throw new ServiceError('validation_failed', 'The snapshot is damaged: take a new one.')
  }
}

/** Version of the state that this server writes and reads. */
const STATE_VERSION: StateDump['version'] = 1

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
