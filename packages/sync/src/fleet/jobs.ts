import { globalClock } from '@formwire/internal/clock'
import type { UnknownFormsError } from '../errors.ts'
import { leastTurns, planRound, SLOW_ROUNDS } from '../plan/follow.ts'
import { isGone } from '../round/errors.ts'
import { syncForm } from '../round/form-round.ts'
import { markLost, readAllForms } from '../round/forms.ts'
import { Interrupted } from '../round/reader.ts'
import type { KnownForm } from '../store/tables.ts'
import type { FleetSettings } from './options.ts'
import type { FormJob } from './queue.ts'
import type { KeyInUse, Workspace } from './workspace.ts'

/** Milliseconds after which a job leaves a long list at a checkpoint, so that other forms have their turn. */
const SLICE_MS = 60_000

/** The forms that a round found to be read. */
export interface RoundPlan {
  /** Their counts moved, or a delivery arrived. */
  moved: FormJob[]
  /** Their turn has come although their counts did not move: a count may stay equal while responses come and go. */
  inTurn: FormJob[]
  /** Names chosen forms that do not exist, unless an earlier round did. */
  unknown: UnknownFormsError | undefined
}

/** Lists the forms of a workspace, writes those that changed, and decides which are to be read. */
export async function listRound(
  workspace: Workspace,
  key: KeyInUse,
  settings: FleetSettings,
  { dead, signal }: { dead: ReadonlySet<string>; signal: AbortSignal },
): Promise<RoundPlan> {
  const context = workspace.context(key, signal)
  const lost: string[] = []
  const onFormLost = (id: string): number => lost.push(id)
  const { forms } = await readAllForms({ ...context, onFormLost }, (id) => workspace.isChosen(id))
  const unknown = workspace.unknown(forms)
  for (const id of lost) await workspace.tables.form(id).forget()
  const known = (await workspace.tables.knownForms()).filter(({ id }) => workspace.isChosen(id))
  const { moved, inTurn } = formsToRead(known, { dead, room: workspace.room, settings })
  const jobOf = ({ id }: KnownForm): FormJob => ({
    workspace: workspace.name,
    form: id,
    ...(dead.has(id) && { isDead: true }),
  })
  return { moved: moved.map(jobOf), inTurn: inTurn.map(jobOf), unknown }
}

/**
 * Decides which forms a round reads. One that has failed in the end is read in its turn alone, whatever its count is.
 *
 * @param of.dead Those that have failed in the end.
 * @param of.room How many requests there is room for.
 */
export function formsToRead(
  known: readonly KnownForm[],
  { dead, room, settings }: { dead: ReadonlySet<string>; room: number; settings: FleetSettings },
): { moved: KnownForm[]; inTurn: KnownForm[] } {
  const { moved, others } = planRound(
    known.map((form) => ({ ...form, isMoved: form.isMoved && !dead.has(form.id) })),
  )
  const inTurn = others
    .filter(({ id, turn }) => isOlder(turn, dead.has(id) ? SLOW_ROUNDS : 0.5, settings))
    .slice(0, Math.max(Math.ceil(leastTurns(known.length) / SLOW_ROUNDS), room - moved.length))
  return { moved, inTurn }
}

/** Whether an instant is so many intervals ago. */
const isOlder = (instant: number, intervals: number, { intervalMs }: FleetSettings): boolean =>
  instant <= globalClock.now() - intervals * intervalMs

/** Reads one form. Returns whether it is finished; if not, another job goes on with it. */
export async function readForm(
  workspace: Workspace,
  key: KeyInUse,
  settings: FleetSettings,
  { form, reader, signal }: { form: string; reader: string; signal: AbortSignal },
): Promise<boolean> {
  const { deletions, drafts, fullEveryMs } = settings
  await key.preparation.run()
  const table = workspace.tables.form(form)
  const listed = await table.begin(reader)
  if (!listed) return true
  const endsAt = globalClock.now() + SLICE_MS
  const context = workspace.context(key, signal, () => globalClock.now() >= endsAt)
  const complete = !drafts || isOlder(listed.swept, SLOW_ROUNDS, settings)
  try {
    await table.eraseMarked()
    const isFinished = await syncForm(context, form, {
      deletions,
      drafts: drafts && complete,
      verify: false,
      fullEveryMs,
      responseCount: listed.count ?? undefined,
      sliced: true,
    })
    await workspace.tables.followViews()
    if (isFinished) {
      await table.finish(reader, listed, complete)
      // The worker reports one that was locked.
      if (listed.hasFailed && !workspace.locked.has(form))
        settings.onFormRecovered?.({ workspace: workspace.name, formId: form })
    }
    return isFinished
  } catch (error) {
    if (error instanceof Interrupted) return false
    if (!isGone(error)) throw error
    await markLost(context, form)
    await table.forget()
    return true
  }
}
