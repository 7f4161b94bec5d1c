import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { PullLine, PullOptions, PullStore } from '@formwire/reference-server/pull'
import { usage, withPath } from '../failure.ts'
import { JsonLines, type Span } from '../files/json-lines.ts'
import { createPart, openPart, partPath } from '../files/part-file.ts'

/** What a pull reads and how it scrubs: a part file continues only the same one. */
export type PullScope = Readonly<Record<string, unknown>>

/** What the rest of a pull must have in common with its beginning. */
interface PullSettings {
  /** Key of the pseudonyms. */
  readonly key: Uint8Array
  /** A span of `--since` counts back from the start of the first run. */
  readonly since?: string | undefined
}

/** First line of a part file. */
interface Header {
  formwire_pull: 1
  scope: PullScope
  since: string | null
  /** In base64. */
  key: string
}

/**
 * `FILE.part`: what a pull to FILE has read so far, scrubbed, as JSON lines. It outlives an interrupted pull, which can be continued, and is
 * removed when FILE is complete. Readable only by its owner.
 */
export class PullFile implements PullStore {
  readonly path: string
  readonly settings: PullSettings
  readonly #lines: JsonLines<Header | PullLine>
  readonly #spans: Span[] = []
  readonly #isResumed: boolean
  #hasResponses = false
  #isBroken = false

  private constructor(
    path: string,
    settings: PullSettings,
    lines: JsonLines<Header | PullLine>,
    isResumed: boolean,
  ) {
    this.path = path
    this.settings = settings
    this.#lines = lines
    this.#isResumed = isResumed
  }

  /** Creates the file. @throws Failure exit 2 if it exists or cannot be written */
  static async create(
    target: string,
    scope: PullScope,
    { key = randomBytes(32), since }: Pick<PullOptions, 'key' | 'since'>,
    now: number,
  ): Promise<PullFile> {
    const part = await createPart(target, { work: 'pull', over: 'throw it away with --restart', now })
    const lines = new JsonLines<Header | PullLine>(part)
    const file = new PullFile(partPath(target), { key, since }, lines, false)
    try {
      const header = { scope, since: since ?? null, key: Buffer.from(key).toString('base64') }
      await lines.add({ formwire_pull: 1, ...header })
      await lines.flush()
    } catch (error) {
      await file.remove()
      throw withPath(error, file.path)
    }
    return file
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
      let hasResponses = false
      for await (const { item, end } of lines.items()) {
        header ??= item as Header
        complete = end
        hasResponses ||= 'rows' in item
      }
      if (header?.formwire_pull !== 1) throw new SyntaxError('no header')
      const stored = Buffer.from(header.key, 'base64')
      if (header.scope.base_url !== scope.base_url) {
        throw usage(
          `${path} is from a pull of ${header.scope.base_url ?? 'an unknown service'}, not of ${scope.base_url}`,
          'resume with the same service, or start from the beginning with --restart',
        )
      }
      if (JSON.stringify(header.scope) !== JSON.stringify(scope) || (key && !stored.equals(key))) {
        throw usage(
          `${path} is from a pull with other arguments`,
          'resume with the same arguments, or start from the beginning with --restart',
        )
      }
      await lines.truncate(complete)
      const settings = { key: stored, since: header.since ?? undefined }
      const resumed = new PullFile(path, settings, lines, true)
      resumed.#hasResponses = hasResponses
      return resumed
    } catch (error) {
      await lines.close()
      if (!(error instanceof SyntaxError)) throw error
      throw usage(`${path} is damaged`, 'start from the beginning with --restart')
    }
  }

  async add(line: PullLine): Promise<number> {
    this.#hasResponses ||= 'rows' in line
    return this.#spans.push(await this.#named(this.#lines.add(line))) - 1
  }

  async read(handle: number): Promise<PullLine> {
    return (await this.#named(this.#lines.read(this.#spans[handle] as Span))) as PullLine
  }

  /** Whether responses were read, by this run or an earlier one. */
  get hasResponses(): boolean {
    return this.#hasResponses
  }

  /** @throws what the work throws, with the path of this file */
  async #named<Result>(work: Promise<Result>): Promise<Result> {
    return await work.catch((error: unknown) => {
      this.#isBroken = true
      throw withPath(error, this.path)
    })
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
    // A failure was reported, and the lines before it are complete.
    if (!this.#isBroken) await this.#lines.flush()
    await this.#lines.close()
  }

  /** Closes and deletes the file. */
  async remove(): Promise<void> {
    await this.#lines.close()
    await rm(this.path, { force: true })
  }
}
