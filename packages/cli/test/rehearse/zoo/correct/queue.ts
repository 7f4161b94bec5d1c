import { setTimeout as sleep } from 'node:timers/promises'
import { append, lines } from '../support/files.ts'
import { receive } from '../support/receive.ts'

// What is acknowledged is in a file, and worked off later, also by the next process.
const queued = new Set(lines('queue.txt'))
receive(({ event, response }) => {
  const id = String(response.id)
  if (event !== 'response.submitted' || queued.has(id)) return
  append('queue.txt', id)
  queued.add(id)
})

const handled = new Set(lines('handled.txt'))
for (; ; await sleep(10)) {
  for (const id of queued) {
    if (handled.has(id)) continue
    await sleep(2)
    append('handled.txt', id)
    handled.add(id)
  }
}
