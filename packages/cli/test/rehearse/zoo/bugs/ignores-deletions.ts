import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, readAll } from '../support/api.ts'
import { append, lines } from '../support/files.ts'

// Bug (with --deletions): what was deleted is kept.
const handled = new Set(lines('handled.txt').map(Number))
for (; ; await sleep(INTERVAL_MS)) {
  for (const { id } of await readAll({})) {
    if (!handled.has(id)) append('handled.txt', id)
    handled.add(id)
  }
}
