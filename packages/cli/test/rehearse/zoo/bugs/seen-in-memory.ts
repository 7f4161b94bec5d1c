import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, readAll } from '../support/api.ts'
import { append } from '../support/files.ts'

// Bug: a new process reads from the start, and does not know what the one before has handled.
const handled = new Set<number>()
let since: string | undefined
for (; ; await sleep(INTERVAL_MS)) {
  for (const { id, submitted_at } of await readAll({ since })) {
    if (!handled.has(id)) append('handled.txt', id)
    handled.add(id)
    since = submitted_at
  }
}
