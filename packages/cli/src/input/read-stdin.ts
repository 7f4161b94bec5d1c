import { usage } from '../failure.ts'
import type { Runtime } from '../runtime.ts'

/** Reads stdin to its end. @throws Failure exit 2 on a terminal, or beyond `maxBytes` */
export async function readStdin({ stdin }: Pick<Runtime, 'stdin'>, maxBytes: number): Promise<Buffer> {
  if (stdin.isTTY === true)
    throw usage('cannot read from stdin: it is a terminal', 'pipe a file to the command')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin as AsyncIterable<Buffer | string>) {
    const bytes = Buffer.from(chunk as string)
    size += bytes.length
    if (size > maxBytes) throw usage(`stdin exceeds ${maxBytes} bytes`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
