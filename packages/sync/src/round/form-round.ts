import type { FormResponse } from '@formwire/contract'
import { withFittingPages } from '@formwire/internal/fitting-pages'
import type { FormTable, Slice } from '../store/form-table.ts'
import { Deletions } from './deletions.ts'
import { FormReader, type ReaderContext } from './reader.ts'

/** What one round of a form does. */
export interface FormRound {
  /** Marks rows of deleted responses. */
  deletions: boolean
  /** Keeps rows of saved drafts. */
  drafts: boolean
  /** Reads everything, whatever the counts say. */
  verify: boolean
  /** Reads everything if that was last done so many milliseconds ago. */
  fullEveryMs: number
  /** `response_count` of the form, which saves a request after the first round. */
  responseCount: number | undefined
  /** Does one slice of a full read that is due, so that other forms do not wait for all of it. */
  sliced: boolean
}

/** Rows of webhooks that are completed in one round by requests of their own. Most are on the newest page anyway. */
const MAX_COMPLETED = 100

/**
 * Makes the table equal to the service for one form. Returns whether nothing is left: a slice of a full read may be.
 *
 * @throws NotFoundError if the form is lost
 */
export function syncForm(context: ReaderContext, formId: string, round: FormRound): Promise<boolean> {
  // What was written before a page that is too large stays written.
  return withFittingPages(context.perPage, (perPage) => readForm({ ...context, perPage }, formId, round))
}

async function readForm(context: ReaderContext, formId: string, round: FormRound): Promise<boolean> {
  const { now } = context
  const table = context.tables.form(formId)
  const state = await table.state()
  const reader = new FormReader(context, table, state.checkpoint)
  const deletions = new Deletions(reader, round.deletions)

  const lostDrafts = round.drafts ? await sweepDrafts(reader) : []
  const isFirst = state.checkpoint === undefined && (round.responseCount ?? 0) > context.perPage
  const startedAt = now()
  let readEverything = isFirst
  if (isFirst) await reader.backlog()
  const settled = isFirst && (await table.count(EVERYTHING)) === round.responseCount
  if (!settled && (await deletions.reconcile())) readEverything = true
  if (round.verify && !readEverything) {
    await deletions.readAll()
    readEverything = true
  }
  const isDue = state.fullAt !== undefined && startedAt - Date.parse(state.fullAt) >= round.fullEveryMs
  let isFinished = true
  if (readEverything || state.fullAt === undefined) await table.setFullAt(startedAt)
  else if (isDue) isFinished = await continueFullRead(now(), table, deletions, state.slice, round)

  // Rows of webhooks that were on no page are completed.
  const gone = await deletions.settle(await table.pending(MAX_COMPLETED))
  if (!round.deletions) await table.settle(gone)
  // Drafts that are not listed were submitted, which the round has written by now, or deleted.
  const drafts = new Set(lostDrafts.length > 0 ? await table.draftIds() : [])
  await deletions.settle(lostDrafts.filter((id) => drafts.has(id)))
  return isFinished
}

const EVERYTHING = { from: undefined, to: undefined }

/**
 * Goes on with a full read where the last process ended, one slice or to the end. Returns whether it is done: it may be left to another
 * process, which has gone on with it meanwhile.
 */
async function continueFullRead(
  now: number,
  table: FormTable<unknown>,
  deletions: Deletions,
  stored: string | undefined,
  { sliced }: FormRound,
): Promise<boolean> {
  const { startedAt, to } =
    stored === undefined ? { startedAt: now, to: undefined } : (JSON.parse(stored) as Slice)
  let before: string | undefined | false = stored
  let next: string | undefined = to
  do {
    next = await deletions.readSlice(next)
    const after = next === undefined ? { fullAt: startedAt } : { startedAt, to: next }
    before = await table.advance(before, after)
    if (before === false) return false
  } while (next !== undefined && !sliced)
  return next === undefined
}

/**
 * Reads the saved drafts of a form into the table. Returns the ids of draft rows that are not listed any more: submitted or deleted.
 *
 * Drafts are listed by their last save, newest first. If the newest page holds no change and the counts agree, no draft has changed.
 */
async function sweepDrafts(reader: FormReader): Promise<number[]> {
  const { context, table } = reader
  const { formwire, now, signal, perPage } = context
  const before = await table.draftIds()
  const list = formwire.responses.list(
    table.scope.formId,
    { status: 'in_progress', per_page: perPage },
    { signal },
  )
  const readAt = now()
  const first = await list
  const changed = await reader.write(first.data, readAt)
  const isWhole = first.data.length >= first.meta.total
  if (!isWhole && changed === 0 && before.length === first.meta.total) return []
  const listed = new Set(first.data.map(({ id }) => id))
  let buffer: FormResponse[] = []
  for await (const draft of list) {
    if (listed.has(draft.id)) continue
    listed.add(draft.id)
    buffer.push(draft)
    if (buffer.length < 5 * perPage) continue
    await reader.write(buffer, readAt)
    buffer = []
  }
  if (buffer.length > 0) await reader.write(buffer, readAt)
  return before.filter((id) => !listed.has(id))
}
