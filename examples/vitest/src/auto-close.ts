import type { Formwire } from '@formwire/sdk'

/** Closes every published form that has enough responses. Resolves to the ids of those forms. */
export async function closeFullForms(formwire: Formwire, enough: number): Promise<string[]> {
  const closed: string[] = []
  for await (const form of formwire.forms.list({ status: 'published' })) {
    if (form.response_count < enough) continue
    await formwire.forms.close(form.id)
    closed.push(form.id)
  }
  return closed
}
