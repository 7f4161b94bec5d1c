import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import { notFound } from '../domain/service-error.ts'

/** Returns a form, trashed ones included. Throws 404 for an unknown one. */
export function findForm({ state }: Pick<Context, 'state'>, id: string): FormRecord {
  const form = state.forms.get(id)
  if (!form) throw notFound()
  return form
}
