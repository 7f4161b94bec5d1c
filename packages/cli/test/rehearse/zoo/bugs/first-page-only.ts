import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, readPage } from '../support/api.ts'
import { append, lines } from '../support/files.ts'

// Bug: what is new can be more than a page.
const handled = new Set(lines('handled.txt').map((line) => line.split(' ')[0]))
let since = lines('handled.txt').at(-1)?.split(' ')[1]
for (; ; await sleep(INTERVAL_MS)) {
  const { data } = await readPage({ since })
  for (const { id, submitted_at } of data.reverse()) {
    if (!handled.has(String(id))) append('handled.txt', `${id} ${submitted_at}`)
    handled.add(String(id))
    since = submitted_at
  }
}
