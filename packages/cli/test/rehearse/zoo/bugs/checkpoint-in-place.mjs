import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, readAll } from '../support/api.mjs'

// Bug: a kill while the file is written leaves half of it.
const path = join(process.env.FORMWIRE_REHEARSAL_DIR, 'handled.json')
const text = await readFile(path, 'utf8').catch(() => '{}')
const responses = JSON.parse(text)
for (; ; await sleep(INTERVAL_MS)) {
  for (const response of await readAll({})) {
    if (responses[response.id]) continue
    responses[response.id] = response
    await writeFile(path, JSON.stringify(responses))
  }
}
