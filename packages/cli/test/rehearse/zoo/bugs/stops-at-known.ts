import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, readPage } from '../support/api.ts'
import { append, lines } from '../support/files.ts'

// Bug: the newest response is handled first, so that a restart stops in front of those that were not handled yet.
const handled = new Set(lines('handled.txt').map(Number))
for (; ; await sleep(INTERVAL_MS)) {
  pages: for (let page = 1; ; page += 1) {
    const { data } = await readPage({ page })
    for (const { id } of data) {
      if (handled.has(id)) break pages
      await sleep(3)
      append('handled.txt', id)
      handled.add(id)
    }
    if (data.length < 25) break
  }
}
