import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, readAll } from '../support/api.mjs'
import { append, lines } from '../support/files.mjs'
import { receive } from '../support/receive.mjs'

// Deliveries are quick, and the list has what was never delivered.
const handled = new Set(lines('handled.txt').map(Number))
function handle({ id }) {
  if (!handled.has(id)) append('handled.txt', id)
  handled.add(id)
}
receive(({ event, response }) => {
  if (event === 'response.submitted') handle(response)
})
for (; ; await sleep(INTERVAL_MS)) for (const response of await readAll({})) handle(response)
