import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, readAll } from '../support/api.mjs'
import { append } from '../support/files.mjs'

// Bug: a new process reads from the start, and does not know what the one before has handled.
const handled = new Set()
let since
for (; ; await sleep(INTERVAL_MS)) {
  for (const { id, submitted_at } of await readAll({ since })) {
    if (!handled.has(id)) append('handled.txt', id)
    handled.add(id)
    since = submitted_at
  }
}
