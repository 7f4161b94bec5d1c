import { append, lines } from '../support/files.mjs'
import { receive } from '../support/receive.mjs'

// The line is the response and the claim at once: it is written before the delivery is acknowledged.
const handled = new Set(lines('handled.txt'))
receive(({ event, response }) => {
  const id = String(response.id)
  if (event !== 'response.submitted' || handled.has(id)) return
  append('handled.txt', id)
  handled.add(id)
})
