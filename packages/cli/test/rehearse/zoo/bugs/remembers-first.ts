import { setTimeout as sleep } from 'node:timers/promises'
import { append, lines } from '../support/files.ts'
import { receive } from '../support/receive.ts'

// Bug: the response counts as handled before it is.
const seen = new Set(lines('seen.txt'))
receive(async ({ event, response }) => {
  const id = String(response.id)
  if (event !== 'response.submitted' || seen.has(id)) return
  seen.add(id)
  append('seen.txt', id)
  await sleep(300)
  append('handled.txt', id)
})
