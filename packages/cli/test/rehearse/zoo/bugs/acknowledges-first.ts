import { setTimeout as sleep } from 'node:timers/promises'
import { append, lines } from '../support/files.ts'
import { receive } from '../support/receive.ts'

// Bug: the response is acknowledged before it is stored.
const handled = new Set(lines('handled.txt'))
receive(async ({ event, response }, { acknowledge }) => {
  acknowledge()
  const id = String(response.id)
  if (event !== 'response.submitted' || handled.has(id)) return
  handled.add(id)
  await sleep(300)
  append('handled.txt', id)
})
