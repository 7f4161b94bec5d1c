import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, type Row, readAll } from '../support/api.ts'
import { append, lines } from '../support/files.ts'
import { receive } from '../support/receive.ts'

// Deliveries are quick, and the list has what was never delivered.
const handled = new Set(lines('handled.txt').map(Number))
function handle({ id }: Row): void {
  if (!handled.has(id)) append('handled.txt', id)
  handled.add(id)
}
receive(({ event, response }) => {
  if (event === 'response.submitted') handle(response)
})
for (; ; await sleep(INTERVAL_MS)) for (const response of await readAll({})) handle(response)
