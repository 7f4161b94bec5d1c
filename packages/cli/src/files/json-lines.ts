import type { FileHandle } from 'node:fs/promises'

const BLOCK_BYTES = 256 * 1024

/** Where a line is in its file. */
export interface Span {
  start: number
  /** Offset of the byte after the line. */
  end: number
}

/** A file of JSON lines, one item each, that is written first and then read. */
export class JsonLines<Item> {
  readonly #file: FileHandle
  #block: string[] = []
  #blockLength = 0
  #written: Promise<void> = Promise.resolve()
  /** Length of the file, in bytes, once everything is written. */
  #end = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  /** Adds one item. Returns where it will be. */
  async add(item: Item): Promise<Span> {
    const line = `${JSON.stringify(item)}\n`
    const start = this.#end
    const end = start + Buffer.byteLength(line)
    this.#end = end
    this.#block.push(line)
    this.#blockLength += line.length
    if (this.#blockLength >= BLOCK_BYTES) await this.flush()
    return { start, end }
  }

  /** Returns one item. */
  async read({ start, end }: Span): Promise<Item> {
    await this.flush()
    const bytes = Buffer.alloc(end - start)
    await this.#file.read(bytes, 0, bytes.length, start)
    return JSON.parse(bytes.toString()) as Item
  }

  /** Writes what was added to the file. */
  async flush(): Promise<void> {
    const text = this.#block.join('')
    this.#block = []
    this.#blockLength = 0
    if (text !== '') this.#written = this.#written.then(() => this.#file.appendFile(text))
    await this.#written
  }

  /**
   * Yields every item with where it is, in the order of `add`. A last line without a line feed, which
   * an interrupted write leaves, is not an item. @throws SyntaxError for a line that is not JSON
   */
  async *items(): AsyncGenerator<{ item: Item } & Span> {
    await this.flush()
    let rest: Buffer = Buffer.alloc(0)
    let offset = 0
    const block = Buffer.alloc(BLOCK_BYTES)
    for (let position = 0; ; ) {
      const { bytesRead } = await this.#file.read(block, 0, BLOCK_BYTES, position)
      if (bytesRead === 0) return
      position += bytesRead
      let bytes: Buffer = Buffer.concat([rest, block.subarray(0, bytesRead)])
      for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a)) {
        const start = offset
        offset += end + 1
        yield { item: JSON.parse(bytes.toString('utf8', 0, end)) as Item, start, end: offset }
        bytes = bytes.subarray(end + 1)
      }
      rest = bytes
    }
  }

  /** Removes everything after this offset. */
  async truncate(end: number): Promise<void> {
    await this.#file.truncate(end)
    this.#end = end
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}
