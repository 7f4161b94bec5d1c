import type { ByteBudget } from '../policy/byte-budget.ts'
import type { ReserveBytes } from './message.ts'
import { tooMany } from './stages/authenticate.ts'

/**
 * Reads a body whose bytes count against the budget until `read` has settled, parsing included. Throws 429 when the
 * bodies being received exceed the budget.
 */
export async function receiveWithin<Body>(
  budget: ByteBudget,
  read: (reserve: ReserveBytes) => Promise<Body>,
): Promise<Body> {
  let heldBytes = 0
  try {
    return await read((bytes) => {
      if (!budget.reserve(bytes)) throw tooMany('Too many request bodies are being received.')
      heldBytes += bytes
    })
  } finally {
    budget.release(heldBytes)
  }
}
