import {
  ConnectionError,
  ForbiddenError,
  type Formwire,
  isFormwireError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
  ValidationError,
} from '@formwire/sdk'

/** Closes a form and says, in a sentence for people, how it went. */
export async function closeForm(formwire: Formwire, id: string): Promise<string> {
  try {
    const form = await formwire.forms.close(id)
    return `"${form.title}" is ${form.status}.`
  } catch (error) {
    if (error instanceof NotFoundError) return `There is no form ${id} in this workspace.`
    if (error instanceof ForbiddenError) return 'This key may not change forms.'
    if (error instanceof ValidationError) return `The service refuses ${error.field ?? 'the request'}.`
    if (error instanceof RateLimitError)
      return `Too many requests: try again in ${Math.ceil(error.retryAfterMs / 1000)} s.`
    if (error instanceof ConnectionError || error instanceof TimeoutError)
      return 'The service cannot be reached.'
    // Whatever else the SDK throws is safe to log: no key, no secret and no body is in it.
    if (isFormwireError(error)) return `Failed after ${error.attempts} attempts: ${error.message}`
    throw error
  }
}
