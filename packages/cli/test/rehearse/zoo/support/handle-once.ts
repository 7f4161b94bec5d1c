import { append, lines } from './files.ts'
import type { Handle } from './receive.ts'

/** Returns a handler that writes a line for each new response: it is the response and the claim at once. */
export function handleOnce(): Handle {
  const handled = new Set(lines('handled.txt'))
  return ({ event, response }) => {
    const id = String(response.id)
    if (event !== 'response.submitted' || handled.has(id)) return
    append('handled.txt', id)
    handled.add(id)
  }
}
