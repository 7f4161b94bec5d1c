import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventResponse } from '@formwire/webhook-verify'

/** Saves a response as `<folder>/<id>.json`: the whole file or none, and the same one when the response is saved again. */
export async function saveResponse(folder: string, response: EventResponse): Promise<void> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${response.id}.json`)
  const temporary = `${file}.${randomUUID()}`
  await writeFile(temporary, JSON.stringify(response), { flush: true })
  await rename(temporary, file)
}
