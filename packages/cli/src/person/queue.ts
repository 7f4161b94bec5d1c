import { erasePersonJobs, findPersonJobs, type PersonQueue } from '@formwire/sync'
import { countOf } from '../output/progress.ts'
import { keyOf } from './database.ts'
import type { Place } from './place.ts'

/** The queue of an inbox on PostgreSQL. */
export function queuePlace(
  queue: PersonQueue,
  email: string,
  forms: readonly string[] | undefined,
  workspace: () => Promise<string | undefined>,
): Place {
  let active = 0
  return {
    name: 'queue',
    noun: 'queued response',
    async search(add) {
      const jobs = await findPersonJobs({ ...queue, email, forms, workspaceId: await workspace() })
      for (const { workspaceId, formId, id, columns, state } of jobs)
        add({ workspace_id: workspaceId, form_id: formId, id, columns, state })
      active = jobs.filter(({ state }) => state === 'active').length
    },
    async erase(found, done) {
      done(await erasePersonJobs({ ...queue, responses: found.map(keyOf) }))
    },
    remaining: () =>
      active === 0
        ? []
        : [`${countOf(active, 'queued response')} of the person: a handler had begun with it`],
  }
}
