import type { Context } from './context.ts'
import { formOfMissing } from './report.ts'

/**
 * Returns the error of the form if a response or an endpoint was not found because its form does not exist, which costs a request;
 * any other error as it is.
 */
export async function withMissingForm(error: unknown, context: Context): Promise<unknown> {
  const form = formOfMissing(error)
  if (form === undefined) return error
  try {
    await (await context.client()).forms.get(form)
  } catch (other) {
    if ((other as { status?: number }).status === 404) return other
  }
  return error
}
