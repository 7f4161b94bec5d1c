import { CallError } from '../api.ts'
import { announce } from './announcer.tsx'

/** Does what a button asks for and tells how it ended. Gives `undefined` when it failed. */
export async function act<Result>(
  work: () => Promise<Result>,
  done?: string | ((result: Result) => string),
  tone: 'done' | 'quiet' = 'done',
): Promise<Result | undefined> {
  try {
    const result = await work()
    if (done !== undefined) announce(typeof done === 'string' ? done : done(result), tone)
    return result
  } catch (error) {
    if (!(error instanceof CallError)) {
      announce('Something in the console broke; reload the page.', 'error')
      throw error
    }
    // The token prompt says it already.
    if (error.status !== 401) announce(error.message, 'error')
    return undefined
  }
}
