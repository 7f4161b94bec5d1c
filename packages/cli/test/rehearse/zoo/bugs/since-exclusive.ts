import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, readAll } from '../support/api.ts'
import { append, lines } from '../support/files.ts'

// Bug: a response with the time of the newest one can still come.
let newest = lines('handled.txt').at(-1)?.split(' ')[1]
for (; ; await sleep(INTERVAL_MS)) {
  const since = newest && new Date(Date.parse(newest) + 1).toISOString()
  for (const { id, submitted_at } of await readAll({ since })) {
    append('handled.txt', `${id} ${submitted_at}`)
    newest = submitted_at
  }
}
