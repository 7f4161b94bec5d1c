import { erasePersonJobs, findPersonJobs, type PersonQueue, type PersonSearch } from '@formwire/sync'
import { countOf } from '../output/progress.ts'
import { keyOf } from './database.ts'
import type { Found, Place } from './place.ts'

/** The queue of an inbox on PostgreSQL. */
export function queuePlace(
  queue: PersonQueue,
  email: string,
  forms: readonly string[] | undefined,
  workspace: () => Promise<string | undefined>,
): Place {
  /** Keys of those that a handler had begun with. */
  const active = new Set<string>()
  const search = async (what: PersonSearch, add: (found: Found) => void): Promise<void> => {
    const jobs = await findPersonJobs({ ...queue, ...what, forms, workspaceId: await workspace() })
    for (const { workspaceId, formId, id, columns, state } of jobs) {
      add({ workspace_id: workspaceId, form_id: formId, id, columns, state })
      if (state === 'active') active.add(JSON.stringify([workspaceId, formId, id]))
    }
  }
  return {
    name: 'queue',
    noun: 'queued response',
    search: (add) => search({ email }, add),
    searchIds: (responses, add) => search({ responses }, add),
    async erase(found, done) {
      done(await erasePersonJobs({ ...queue, responses: found.map(keyOf) }))
    },
    remaining: () =>
      active.size === 0
        ? []
        : [`${countOf(active.size, 'queued response')} of the person: a handler had begun with it`],
  }
}
