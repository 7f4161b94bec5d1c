import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BLOCK_BYTES = 256 * 1024

/**
 * A temporary file of JSON lines, readable only by its owner. It is unlinked as soon as it is open, so that the answers
 * in it do not outlive the process.
 */
export class Spool<Item> {
  readonly #file: FileHandle
  readonly #directory: string
  #block: string[] = []
  #blockLength = 0

  private constructor(file: FileHandle, directory: string) {
    this.#file = file
    this.#directory = directory
  }

  static async create<Item>(): Promise<Spool<Item>> {
    const directory = await mkdtemp(join(tmpdir(), 'formwire-export-'))
    const file = await open(join(directory, 'spool'), 'wx+', 0o600)
    const spool = new Spool<Item>(file, directory)
    // Where an open file cannot be unlinked, close() removes it.
    await rm(directory, { recursive: true, force: true }).catch(() => undefined)
    return spool
  }

  /** Adds one item. */
  async add(item: Item): Promise<void> {
    const line = `${JSON.stringify(item)}\n`
    this.#block.push(line)
    this.#blockLength += line.length
    if (this.#blockLength >= BLOCK_BYTES) await this.#flush()
  }

  async #flush(): Promise<void> {
    const text = this.#block.join('')
    this.#block = []
    this.#blockLength = 0
    await this.#file.appendFile(text)
  }

  /** Yields every item, in the order of `add`. */
  async *items(): AsyncGenerator<Item> {
    await this.#flush()
    let rest: Buffer = Buffer.alloc(0)
    const block = Buffer.alloc(BLOCK_BYTES)
    for (let position = 0; ; ) {
      const { bytesRead } = await this.#file.read(block, 0, BLOCK_BYTES, position)
      if (bytesRead === 0) return
      position += bytesRead
      let bytes: Buffer = Buffer.concat([rest, block.subarray(0, bytesRead)])
      for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a)) {
        yield JSON.parse(bytes.toString('utf8', 0, end)) as Item
        bytes = bytes.subarray(end + 1)
      }
      rest = bytes
    }
  }

  /** Closes the file and removes it if it still exists. */
  async close(): Promise<void> {
    await this.#file.close()
    await rm(this.#directory, { recursive: true, force: true })
  }
}
