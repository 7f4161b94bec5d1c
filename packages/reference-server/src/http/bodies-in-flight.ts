import type { ByteBudget } from '../policy/byte-budget.ts'
import type { ReserveBytes } from './message.ts'
import { tooMany } from './stages/authenticate.ts'

/**
 * Reads a body whose bytes count against the budget until `read` has settled, parsing included. Throws 429 when the
 * bodies being received exceed the budget, or those of this address their share.
 */
export async function receiveWithin<Body>(
  budget: ByteBudget,
  address: string,
  read: (reserve: ReserveBytes) => Promise<Body>,
): Promise<Body> {
  const counted = budget.open(address)
  try {
    return await read((bytes) => {
      if (!counted.reserve(bytes)) throw tooMany('Too many request bodies are being received.')
    })
  } finally {
    counted.release()
  }
}
