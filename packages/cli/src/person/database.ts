import { erasePersonRows, findPersonRows, type PersonSearch, type SyncStore } from '@formwire/sync'
import type { Context } from '../context.ts'
import type { Found, Place } from './place.ts'

/** The tables and views of `formwire sync`. */
export function databasePlace(
  { runtime }: Pick<Context, 'runtime'>,
  store: SyncStore,
  email: string,
  forms: readonly string[] | undefined,
  workspace: () => Promise<string | undefined>,
): Place {
  const search = async (what: PersonSearch, add: (found: Found) => void): Promise<void> => {
    const rows = await findPersonRows({ store, ...what, forms, workspaceId: await workspace() })
    for (const { workspaceId, formId, id, columns, status, deleted, view } of rows)
      add({ workspace_id: workspaceId, form_id: formId, id, columns, status, deleted, view })
  }
  return {
    name: 'database',
    noun: 'row',
    search: (add) => search({ email }, add),
    searchIds: (responses, add) => search({ responses }, add),
    async erase(found, done) {
      // One after the other, so that a failure leaves a true count.
      for (const one of found) {
        const rows = [keyOf(one)]
        done(await erasePersonRows({ store, rows, now: () => runtime.clock.now() }))
      }
    },
  }
}

/** Returns the key of a row or queued response that was found. */
export function keyOf({ workspace_id, form_id, id }: Found): {
  workspaceId: string
  formId: string
  id: number
} {
  return { workspaceId: String(workspace_id), formId: String(form_id), id: Number(id) }
}
