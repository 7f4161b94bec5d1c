import { isObject } from '@formwire/internal/json'
import type { Context } from '../context.ts'
import { parseInstant } from '../domain/instant.ts'
import { invalid, unprocessable } from '../domain/service-error.ts'
import type { Settings } from '../settings.ts'
import { checkDump, SnapshotError } from '../store/check-dump.ts'
import { checkReferences } from '../store/check-references.ts'
import { State, type StateDump } from '../store/state.ts'

/** The whole state as JSON. Contains key hashes and webhook secrets: store it like a secret. */
export interface Snapshot {
  readonly formwire: 'snapshot'
  readonly warning: string
  readonly taken_at: string
  readonly state: StateDump
}

/** Returns the current state. */
export function takeSnapshot(context: Context): Snapshot {
  return {
    formwire: 'snapshot',
    warning: 'Contains API key hashes and webhook secrets.',
    taken_at: new Date(context.clock.now()).toISOString(),
    state: context.state.dump(),
  }
}

/**
 * Reads a snapshot, with or without its envelope. Throws 422 for anything else; `details.field` is the path of the
 * first error.
 *
 * @returns `takenAt` is `undefined` if it is unreadable.
 */
export function readSnapshot(
  { unspecified }: Pick<Settings, 'unspecified'>,
  input: Readonly<Record<string, unknown>>,
): { readonly state: State; readonly takenAt: number | undefined } {
  const snapshot = (isObject(input.data) ? input.data : input) as Partial<Snapshot> & { version?: unknown }
  if (snapshot.formwire !== 'snapshot' || !isObject(snapshot.state))
    throw unprocessable('Not a snapshot: expected the body returned by GET /_app/snapshot.')
  // Today's format has none at the top: one that has is of a later server.
  if (snapshot.version !== undefined) checkVersion('version', snapshot.version)
  checkVersion('state.version', snapshot.state.version)
  try {
    checkDump(snapshot.state)
    checkReferences(snapshot.state)
    const takenAt = typeof snapshot.taken_at === 'string' ? parseInstant(snapshot.taken_at) : undefined
    return { state: State.load(snapshot.state, unspecified), takenAt }
  } catch (error) {
    // Nothing has been replaced yet, so a damaged snapshot leaves the server unchanged.
    if (error instanceof SnapshotError)
      throw invalid(error.path, `The snapshot is damaged: ${error.path} ${error.message}. Take a new one.`)
    throw unprocessable('The snapshot is damaged: take a new one.')
  }
}

/** The version of the state that this server reads and writes. */
const STATE_VERSION: StateDump['version'] = 1

function checkVersion(field: string, version: unknown): void {
  if (version === STATE_VERSION) return
  throw invalid(
    field,
    `${field} is ${JSON.stringify(version)}, but this server reads version ${STATE_VERSION}: ` +
      'take a new snapshot with this version of the server.',
  )
}
