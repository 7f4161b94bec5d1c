import { setTimeout as sleep } from 'node:timers/promises'
import { append, lines } from '../support/files.ts'
import { receive } from '../support/receive.ts'

// Bug: two attempts at the same time both find that the response was not handled.
receive(async ({ event, response }) => {
  const id = String(response.id)
  if (event !== 'response.submitted' || lines('handled.txt').includes(id)) return
  await sleep(5)
  append('handled.txt', id)
})
