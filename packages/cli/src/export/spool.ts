import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JsonLines } from './json-lines.ts'

/**
 * A temporary file of JSON lines, readable only by its owner. It is unlinked as soon as it is open, so that the answers
 * in it do not outlive the process.
 */
export class Spool<Item> {
  readonly #lines: JsonLines<Item>
  readonly #directory: string

  private constructor(lines: JsonLines<Item>, directory: string) {
    this.#lines = lines
    this.#directory = directory
  }

  static async create<Item>(): Promise<Spool<Item>> {
    const directory = await mkdtemp(join(tmpdir(), 'formwire-export-'))
    // Append: a position that reading moved must not matter.
    const file = await open(join(directory, 'spool'), 'ax+', 0o600)
    // Where an open file cannot be unlinked, close() removes it.
    await rm(directory, { recursive: true, force: true }).catch(() => undefined)
    return new Spool(new JsonLines<Item>(file), directory)
  }

  /** Adds one item. */
  async add(item: Item): Promise<void> {
    await this.#lines.add(item)
  }

  /** Yields every item, in the order of `add`. */
  async *items(): AsyncGenerator<Item> {
    for await (const { item } of this.#lines.items()) yield item
  }

  /** Closes the file and removes it if it still exists. */
  async close(): Promise<void> {
    await this.#lines.close()
    await rm(this.#directory, { recursive: true, force: true })
  }
}
