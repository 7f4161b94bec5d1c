import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, readAll, request } from '../support/api.mjs'
import { append, lines, read, replace } from '../support/files.mjs'

async function readOnce(query) {
  const response = await request(query)
  if (!response.ok) throw new Error(`status ${response.status}`)
  return await response.json()
}

const handled = new Set(lines('handled.txt').map(Number))
let since = read('since.txt') || undefined
for (; ; await sleep(INTERVAL_MS)) {
  try {
    for (const { id, submitted_at } of await readAll({ since }, readOnce)) {
      if (!handled.has(id)) append('handled.txt', id)
      handled.add(id)
      since = submitted_at
    }
  } catch {
    // Bug: what was submitted before is not read any more.
    since = new Date().toISOString()
  }
  if (since) replace('since.txt', since)
}
