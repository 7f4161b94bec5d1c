import type { FormResponse } from '@formwire/contract'
import type { FormReader, ReaderContext } from './reader.ts'

/**
 * Reads the saved drafts of a form into the table. Returns the ids of draft rows that are not listed any more: submitted or deleted.
 *
 * Drafts are listed by their last save, newest first. If the newest page holds no change and the counts agree, no draft has changed.
 */
export async function sweepDrafts(
  { formwire, tables, now, signal, perPage }: ReaderContext,
  formId: string,
  reader: FormReader,
): Promise<number[]> {
  const before = await tables.reads.draftIds(formId)
  const list = formwire.responses.list(formId, { status: 'in_progress', per_page: perPage }, { signal })
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
