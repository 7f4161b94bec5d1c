import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, type Page, type Query, readAll, request } from '../support/api.ts'
import { append, lines, read, replace } from '../support/files.ts'

async function readOnce(query: Query): Promise<Page> {
  const response = await request(query)
  if (!response.ok) throw new Error(`status ${response.status}`)
  return (await response.json()) as Page
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
