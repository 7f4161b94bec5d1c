import { erasePersonRows, findPersonRows, type SyncStore } from '@formwire/sync'
import type { Context } from '../context.ts'
import type { Place } from './place.ts'

/** The tables and views of `formwire sync`. */
export function databasePlace(
  { runtime }: Pick<Context, 'runtime'>,
  store: () => Promise<SyncStore>,
  email: string,
  forms: readonly string[] | undefined,
): Place {
  return {
    name: 'database',
    noun: 'row',
    async search(add) {
      const rows = await findPersonRows({ store: await store(), email, forms })
      for (const { formId, id, columns, status, deleted, view } of rows)
        add({ form_id: formId, id, columns, status, deleted, view })
    },
    async erase(found, done) {
      const rows = found.map(({ form_id, id }) => ({ formId: String(form_id), id: Number(id) }))
      // One form after the other, so that a failure leaves a true count.
      for (const formId of new Set(rows.map((row) => row.formId))) {
        const ofForm = rows.filter((row) => row.formId === formId)
        done(await erasePersonRows({ store: await store(), rows: ofForm, now: () => runtime.clock.now() }))
      }
    },
  }
}
