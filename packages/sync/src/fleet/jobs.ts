import { globalClock } from '@formwire/internal/clock'
import type { UnknownFormsError } from '../errors.ts'
import { RESERVED_ROUNDS, SLOW_ROUNDS, turnsOf } from '../plan/follow.ts'
import { isGone } from '../round/errors.ts'
import { syncForm } from '../round/form-round.ts'
import { markLost, readAllForms } from '../round/forms.ts'
import { Interrupted } from '../round/reader.ts'
import type { FleetSettings } from './options.ts'
import type { FormJob } from './queue.ts'
import type { KnownForm } from './seen.ts'
import type { Lane, Workspace } from './workspace.ts'

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
export async function planRound(
  workspace: Workspace,
  lane: Lane,
  settings: FleetSettings,
  { dead, signal }: { dead: ReadonlySet<string>; signal: AbortSignal },
): Promise<RoundPlan> {
  const sentBefore = lane.formwire.budget.sent
  const context = workspace.context(lane, signal)
  const lost: string[] = []
  const onFormLost = (id: string): number => lost.push(id)
  const { forms } = await readAllForms({ ...context, onFormLost }, undefined, (id) => workspace.isChosen(id))
  const chosen = forms.filter(({ id }) => workspace.isChosen(id))
  const unknown = await workspace.unknown(forms, lane, signal)
  await workspace.drift?.forms(chosen, workspace.chosen)
  for (const id of lost) await workspace.seen.forget(id)
  const known = (await workspace.seen.known()).filter(({ id }) => workspace.isChosen(id))
  const isMoved = ({ id, isMoved }: KnownForm): boolean => isMoved && !dead.has(id)
  const moved = known.filter(isMoved)
  const requests = lane.formwire.budget.sent - sentBefore + moved.length
  const due = known
    .filter((form) => !isMoved(form) && isDue(form, settings))
    .sort((a, b) => a.turn - b.turn)
    .slice(0, turns(known.length, workspace.remaining - RESERVED_ROUNDS * requests))
  const jobOf = ({ id }: KnownForm): FormJob => ({
    workspace: workspace.name,
    form: id,
    ...(dead.has(id) && { isDead: true }),
  })
  return { moved: moved.map(jobOf), inTurn: due.map(jobOf), unknown }
}

/** Whether a form was last read so long ago that its turn may come. */
function isDue({ turn }: Pick<KnownForm, 'turn'>, { intervalMs }: FleetSettings): boolean {
  return turn <= globalClock.now() - SLOW_ROUNDS * intervalMs
}

/** How many forms have their turn in one round: a share of those of a slow round, more than the least only with the budget that is left. */
function turns(forms: number, left: number): number {
  const { least, most } = turnsOf(forms)
  return Math.max(Math.ceil(least / SLOW_ROUNDS), Math.min(Math.ceil(most / SLOW_ROUNDS), Math.floor(left)))
}

/** Reads one form. Returns whether it is finished; if not, another job goes on with it. */
export async function readForm(
  workspace: Workspace,
  lane: Lane,
  settings: FleetSettings,
  { form, reader, signal }: { form: string; reader: string; signal: AbortSignal },
): Promise<boolean> {
  const { deletions, drafts, fullEveryMs } = settings
  await lane.preparation.run()
  const listed = await workspace.seen.begin(form, reader)
  if (!listed) return true
  const endsAt = globalClock.now() + SLICE_MS
  const context = workspace.context(lane, signal, () => globalClock.now() >= endsAt)
  const complete = !drafts || isDue(listed, settings)
  try {
    await workspace.tables.marks.eraseMarked(form)
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
      await workspace.seen.finish(form, reader, { ...listed, complete })
      if (listed.hasFailed) settings.onFormRecovered?.({ workspace: workspace.name, formId: form })
      await workspace.drift?.questions(form)
    }
    return isFinished
  } catch (error) {
    if (error instanceof Interrupted) return false
    if (!isGone(error)) throw error
    await markLost(context, form)
    await workspace.drift?.lost(form)
    await workspace.seen.forget(form)
    return true
  }
}
