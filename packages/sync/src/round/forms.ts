import type { Form } from '@formwire/contract'
import { isGone } from './errors.ts'
import type { ReaderContext } from './reader.ts'

/** Reads the given forms, one request each, and records what became of them. Returns those that exist, and the ids of the others. */
export async function readGivenForms(context: ReaderContext, ids: readonly string[]) {
  const { formwire, signal } = context
  const forms: Form[] = []
  const unknown: string[] = []
  for (const id of ids) {
    try {
      const form = await formwire.forms.get(id, { signal })
      await context.prepare()
      await context.tables.writeForms([form])
      forms.push(form)
    } catch (error) {
      if (!isGone(error)) throw error
      await context.prepare()
      await markLost(context, id)
      unknown.push(id)
    }
  }
  return { forms, unknown }
}

/**
 * Reads the list of forms, 100 a request, writes those that are chosen, and records which were lost.
 *
 * @param writesAll Whether those are written, too, that are in the table as they are, so that `synced_at` is now. @default false
 */
export async function readAllForms(
  context: ReaderContext,
  isChosen: (id: string) => boolean = () => true,
  writesAll = false,
): Promise<{ forms: Form[]; unknown: string[] }> {
  const forms = await listForms(context)
  const chosen = forms.filter(({ id }) => isChosen(id))
  if (writesAll) await context.tables.writeForms(chosen)
  else await context.tables.writeChangedForms(chosen)
  const listed = new Set(forms.map(({ id }) => id))
  const absent = (await context.tables.liveForms()).filter((id) => !listed.has(id))
  if (absent.length > 0) await recordLost(context, absent)
  return { forms, unknown: [] }
}

/** Creates or checks the tables once the service has accepted the key, before the other pages are read. */
async function listForms({ formwire, signal, perPage, prepare }: ReaderContext): Promise<Form[]> {
  const forms: Form[] = []
  for await (const form of formwire.forms.list({ per_page: perPage }, { signal })) {
    if (forms.length === 0) await prepare()
    forms.push(form)
  }
  if (forms.length === 0) await prepare()
  return forms
}

/** One that is restored in the middle of the list while another is removed hides a third, so the list is read again before any is marked. */
async function recordLost(context: ReaderContext, absent: readonly string[]): Promise<void> {
  const listed = new Set((await listForms(context)).map(({ id }) => id))
  for (const id of absent) if (!listed.has(id)) await markLost(context, id)
}

/** Records that a form is lost, and reports it if that is new. */
export async function markLost({ tables, onFormLost }: ReaderContext, id: string): Promise<void> {
  if (await tables.markFormLost(id)) onFormLost?.(id)
}
