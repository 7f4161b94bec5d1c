import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, type Page, type Query, readAll, request } from '../support/api.ts'
import { append, lines } from '../support/files.ts'

async function read(query: Query): Promise<Page> {
  for (; ; await sleep(100)) {
    const response = await request(query).catch(() => undefined)
    // Bug: 429 is no error of the request.
    if (response?.status === 429) throw new TypeError('unexpected status 429')
    const page = response?.ok && ((await response.json().catch(() => undefined)) as Page | undefined)
    if (page) return page
  }
}

const handled = new Set(lines('handled.txt').map(Number))
for (; ; await sleep(INTERVAL_MS)) {
  for (const { id } of await readAll({}, read)) {
    if (!handled.has(id)) append('handled.txt', id)
    handled.add(id)
  }
}
