import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, readAll } from '../support/api.ts'
import { append, lines } from '../support/files.ts'

const handled = new Set(lines('handled.txt').map((line) => line.split(' ')[0]))
let since = lines('handled.txt').at(-1)?.split(' ')[1]
for (; ; await sleep(INTERVAL_MS)) {
  for (const { id, submitted_at } of await readAll({ since })) {
    if (handled.has(String(id))) continue
    await sleep(2)
    append('handled.txt', `${id} ${submitted_at}`)
    handled.add(String(id))
    since = submitted_at
  }
}
