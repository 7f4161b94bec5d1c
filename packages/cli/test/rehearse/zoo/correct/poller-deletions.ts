import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, readAll } from '../support/api.ts'
import { replace } from '../support/files.ts'

// All responses are read each time, so that those that were deleted are gone.
for (; ; await sleep(INTERVAL_MS)) {
  const responses = await readAll({})
  replace('handled.txt', responses.map(({ id }) => `${id}\n`).join(''))
}
