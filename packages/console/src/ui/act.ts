import { CallError } from '../api.ts'
import { announce, announceFailure, dismissErrors } from './announcer.tsx'

/** Runs the action of a button and announces the outcome. Returns `undefined` if it failed. */
export async function act<Result>(
  work: () => Promise<Result>,
  done?: string | ((result: Result) => string),
  tone: 'done' | 'quiet' = 'done',
): Promise<Result | undefined> {
  dismissErrors()
  try {
    const result = await work()
    if (done !== undefined) announce(typeof done === 'string' ? done : done(result), tone)
    return result
  } catch (error) {
    if (!(error instanceof CallError)) {
      announce('Something went wrong in the console. Reload the page.', 'error')
      throw error
    }
    // The token prompt already shows a 401.
    if (error.status !== 401) announceFailure(error)
    return undefined
  }
}
