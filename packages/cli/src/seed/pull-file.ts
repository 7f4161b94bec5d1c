import { rm } from 'node:fs/promises'
import type { PullLine, PullStore } from '@formwire/reference-server/pull'
import { JsonLines, type Span } from '../export/json-lines.ts'
import { createPart, openPart, partPath } from '../export/part-file.ts'
import { usage } from '../failure.ts'

/** What a pull reads and how it scrubs: a part file continues only the same one. */
export type PullScope = Readonly<Record<string, unknown>>

/** First line of a part file. */
interface Header {
  formwire_pull: 1
  scope: PullScope
  /** Key of the pseudonyms, in base64: the rest must get the same ones. */
  key: string
}

/**
 * `FILE.part`: what a pull to FILE has read so far, scrubbed, as JSON lines. It outlives an interrupted pull, which can be continued, and is
 * removed when FILE is complete. Readable only by its owner.
 */
export class PullFile implements PullStore {
  readonly path: string
  readonly key: Uint8Array
  readonly #lines: JsonLines<Header | PullLine>
  readonly #spans: Span[] = []
  readonly #isResumed: boolean

  private constructor(
    path: string,
    key: Uint8Array,
    lines: JsonLines<Header | PullLine>,
    isResumed: boolean,
  ) {
    this.path = path
    this.key = key
    this.#lines = lines
    this.#isResumed = isResumed
  }

  /** Creates the file. @throws Failure exit 2 if it exists or cannot be written */
  static async create(target: string, scope: PullScope, key: Uint8Array): Promise<PullFile> {
    const lines = new JsonLines<Header | PullLine>(await createPart(target, 'pull'))
    await lines.add({ formwire_pull: 1, scope, key: Buffer.from(key).toString('base64') })
    await lines.flush()
    return new PullFile(partPath(target), key, lines, false)
  }

  /**
   * Opens the file of an interrupted pull; undefined if there is none.
   * @param key that of `--key-file`, which must be the same
   * @throws Failure exit 2 if it is damaged, belongs to another pull or user, or is a link
   */
  static async resume(
    target: string,
    scope: PullScope,
    key: Uint8Array | undefined,
  ): Promise<PullFile | undefined> {
    const path = partPath(target)
    const file = await openPart(target)
    if (!file) return undefined
    const lines = new JsonLines<Header | PullLine>(file)
    try {
      let header: Header | undefined
      let complete = 0
      for await (const { item, end } of lines.items()) {
        header ??= item as Header
        complete = end
      }
      if (header?.formwire_pull !== 1) throw new SyntaxError('no header')
      const stored = Buffer.from(header.key, 'base64')
      if (JSON.stringify(header.scope) !== JSON.stringify(scope) || (key && !stored.equals(key))) {
        throw usage(
          `${path} is from a pull with other arguments`,
          'resume with the same arguments, or delete the file to start from the beginning',
        )
      }
      await lines.truncate(complete)
      return new PullFile(path, stored, lines, true)
    } catch (error) {
      await lines.close()
      if (!(error instanceof SyntaxError)) throw error
      throw usage(`${path} is damaged`, 'delete it to start from the beginning')
    }
  }

  async add(line: PullLine): Promise<number> {
    return this.#spans.push(await this.#lines.add(line)) - 1
  }

  async read(handle: number): Promise<PullLine> {
    return (await this.#lines.read(this.#spans[handle] as Span)) as PullLine
  }

  async *earlier(): AsyncGenerator<{ line: PullLine; handle: number }> {
    if (!this.#isResumed) return
    for await (const { item, start, end } of this.#lines.items()) {
      if ('formwire_pull' in item) continue
      yield { line: item, handle: this.#spans.push({ start, end }) - 1 }
    }
  }

  /** Removes the name of the file, so that nothing stays even if the process is killed. Windows refuses this for an open file. */
  async hide(): Promise<void> {
    await rm(this.path).catch(() => undefined)
  }

  /** Keeps the file, for `--resume`. */
  async keep(): Promise<void> {
    await this.#lines.flush()
    await this.#lines.close()
  }

  /** Closes and deletes the file. */
  async remove(): Promise<void> {
    await this.#lines.close()
    await rm(this.path, { force: true })
  }
}
