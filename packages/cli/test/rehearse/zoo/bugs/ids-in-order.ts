import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, readAll } from '../support/api.ts'
import { append, lines } from '../support/files.ts'

// Bug: a draft keeps its id when it is submitted, so that a response can come after one with a larger id.
let newest = Math.max(0, ...lines('handled.txt').map(Number))
for (; ; await sleep(INTERVAL_MS)) {
  const responses = await readAll({})
  for (const { id } of responses.sort((a, b) => a.id - b.id)) {
    if (id <= newest) continue
    append('handled.txt', id)
    newest = id
  }
}
