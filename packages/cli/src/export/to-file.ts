import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FormResponse } from '@formwire/contract'
import { replaceFile } from '@formwire/internal/replace-file'
import type { ExportWriter } from './formats.ts'

/** Writes the responses to a file atomically: it is complete, or not there. */
export async function writeFileOf(
  path: string,
  temporary: string,
  responses: AsyncIterable<FormResponse>,
  writer: ExportWriter,
): Promise<void> {
  async function* texts(): AsyncGenerator<string> {
    yield writer.begin()
    for await (const response of responses) yield writer.row(response)
    yield writer.end()
  }
  try {
    await pipeline(Readable.from(texts()), createWriteStream(temporary, { flags: 'wx' }))
    await replaceFile(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
