import type { Formwire } from '@formwire/sdk'
import { personColumns } from '@formwire/sync'
import type { Context } from '../context.ts'
import { countOf } from '../output/progress.ts'
import type { Place } from './place.ts'

const PER_PAGE = 100

/** The responses and drafts of the service. */
export function servicePlace(
  { output, runtime }: Pick<Context, 'output' | 'runtime'>,
  client: () => Promise<Formwire>,
  email: string,
  chosen: readonly string[] | undefined,
): Place {
  return {
    name: 'service',
    noun: 'response',
    async search(add) {
      const formwire = await client()
      let read = 0
      const forms = chosen ? given(formwire, chosen) : formwire.forms.list({ per_page: PER_PAGE })
      for await (const { id: formId } of forms) {
        for (const status of ['submitted', 'in_progress'] as const) {
          const list = formwire.responses.list(formId, { status, per_page: PER_PAGE })
          for await (const response of list) {
            runtime.stop.throwIfAborted()
            read += 1
            if (read % PER_PAGE === 0) output.progress(`searching: ${countOf(read, 'response')}`)
            const columns = personColumns(email, response)
            if (columns.length > 0)
              add({ form_id: formId, id: response.id, columns, status: response.status })
          }
        }
      }
    },
    async erase(found, done) {
      const formwire = await client()
      for (const { form_id: formId, id } of found) {
        runtime.stop.throwIfAborted()
        try {
          await formwire.responses.delete(String(formId), Number(id))
        } catch (error) {
          // Somebody else has deleted it.
          if ((error as { status?: number }).status !== 404) throw error
        }
        done(1)
      }
    },
  }
}

async function* given(formwire: Formwire, ids: readonly string[]): AsyncGenerator<{ id: string }> {
  for (const id of ids) yield await formwire.forms.get(id)
}
