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

/** Closes a form and returns a sentence that describes the result. */
export async function closeForm(formwire: Formwire, id: string): Promise<string> {
  try {
    const form = await formwire.forms.close(id)
    return `"${form.title}" is ${form.status}.`
  } catch (error) {
    if (error instanceof NotFoundError) return `Form ${id} does not exist in this workspace.`
    if (error instanceof ForbiddenError) return 'This key may not change forms.'
    if (error instanceof ValidationError) return `The service rejected ${error.field ?? 'the request'}.`
    if (error instanceof RateLimitError)
      return `Too many requests: try again in ${Math.ceil(error.retryAfterMs / 1000)} s.`
    if (error instanceof ConnectionError || error instanceof TimeoutError) return 'Cannot reach the service.'
    // Errors of the SDK are safe to log: they contain no key, secret or body.
    if (isFormwireError(error)) return `Failed after ${error.attempts} attempts: ${error.message}`
    throw error
  }
}
