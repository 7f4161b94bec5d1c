import { open, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { INTERVAL_MS, type Row, readAll } from '../support/api.ts'
import { pathOf } from '../support/files.ts'

/** Looks up what the service does not know of a response. */
const lookUp = async ({ id }: Row) => {
  await sleep(5)
  return { customer: id % 7 }
}

// Bug: the file is filled where it is, one response after the other. A kill meanwhile leaves half of it.
const path = pathOf('handled.json')
const text = await readFile(path, 'utf8').catch(() => '[]')
const stored: Row[] = JSON.parse(text)
const responses = new Map(stored.map((response) => [response.id, response]))
for (; ; await sleep(INTERVAL_MS)) {
  const found = (await readAll({})).filter(({ id }) => !responses.has(id))
  if (found.length === 0) continue
  for (const response of found) responses.set(response.id, response)
  const file = await open(path, 'w')
  let start = '['
  for (const response of responses.values()) {
    await file.write(start + JSON.stringify({ ...response, ...(await lookUp(response)) }))
    start = ','
  }
  await file.write(']')
  await file.close()
}
