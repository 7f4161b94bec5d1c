import type { CheckpointStore, PollState } from '@formwire/sdk'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import { type OutputFile, prepareOutput } from './output-file.ts'
import { readBounded } from './read-bounded.ts'

/** How far the responses of a form were checked, and against which file. */
interface Position {
  digest: string
  state: PollState
}

/**
 * Positions of earlier checks, by form. A position counts only for the file that it was reached with: against a newer
 * file, every response is checked again.
 */
export class CheckpointFile {
  readonly #output: OutputFile
  readonly #digest: string
  readonly #positions: Map<string, Position>

  private constructor(output: OutputFile, digest: string, positions: Map<string, Position>) {
    this.#output = output
    this.#digest = digest
    this.#positions = positions
  }

  /** Reads the file if it exists. @throws Failure exit 1 if it is not a checkpoint, exit 2 if it cannot be written */
  static async open(path: string, digest: string, randomId: () => string): Promise<CheckpointFile> {
    const output = await prepareOutput(path, randomId)
    return new CheckpointFile(output, digest, await readPositions(path))
  }

  /** Returns the position of a form as a store for one poll. */
  storeOf(formId: string): CheckpointStore {
    return {
      load: () => {
        const position = this.#positions.get(formId)
        return position?.digest === this.#digest ? position.state : undefined
      },
      save: (_key, state) => {
        this.#positions.set(formId, { digest: this.#digest, state })
      },
    }
  }

  /** Writes the positions. Call it only if nothing differs: what differed must be read again. */
  async save(): Promise<void> {
    const forms = [...this.#positions].map(([form_id, position]) => ({ form_id, ...position }))
    await this.#output.write(`${JSON.stringify({ formwire_types_checkpoint: 1, forms }, null, 2)}\n`)
  }
}

async function readPositions(path: string): Promise<Map<string, Position>> {
  let text: string
  try {
    text = await readBounded(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw error
  }
  const positions = parse(text)
  if (positions) return positions
  throw new Failure(`${path} is not a checkpoint of formwire types --check`, {
    exitCode: EXIT.failed,
    code: 'bad_checkpoint',
    hint: 'remove it to check every response again, or choose another file with --checkpoint',
  })
}

function parse(text: string): Map<string, Position> | undefined {
  try {
    const { formwire_types_checkpoint: version, forms } = JSON.parse(text) as Record<string, unknown>
    if (version !== 1 || !Array.isArray(forms)) return undefined
    const positions = new Map<string, Position>()
    for (const { form_id, digest, state } of forms as readonly Record<string, unknown>[]) {
      if (typeof form_id !== 'string' || typeof digest !== 'string' || !isState(state)) return undefined
      positions.set(form_id, { digest, state })
    }
    return positions
  } catch {
    return undefined
  }
}

function isState(value: unknown): value is PollState {
  const { version, since, ids } = (value ?? {}) as Partial<PollState>
  return version === 1 && typeof since === 'string' && Array.isArray(ids)
}
