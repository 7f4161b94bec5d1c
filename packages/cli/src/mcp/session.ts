import type { Context } from '../context.ts'
import type { Runtime } from '../runtime.ts'
import type { McpFlags } from './flags.ts'
import { LocalServer } from './local-server.ts'
import { shownError } from './result.ts'
import { ListWalks } from './service/list-walks.ts'

/** How long a confirmation is valid, in milliseconds: the user has to read what it is about. */
const VALID_MS = 10 * 60_000

/** The state of what would be deleted, by its id. A confirmation is not valid for another. */
export type States = Readonly<Record<string, string>>

/** Tokens that confirm one thing, once. They are no secrets: a token only shows what came before it. */
class Confirmations {
  readonly #runtime: Pick<Runtime, 'clock' | 'randomId'>
  readonly #issued = new Map<string, { about: string; states: States; expiresAt: number }>()

  constructor(runtime: Pick<Runtime, 'clock' | 'randomId'>) {
    this.#runtime = runtime
  }

  issue(about: unknown, states: States = {}): string {
    const { clock, randomId } = this.#runtime
    const now = clock.now()
    for (const [token, { expiresAt }] of this.#issued) if (expiresAt <= now) this.#issued.delete(token)
    const token = randomId()
    this.#issued.set(token, { about: JSON.stringify(about), states, expiresAt: now + VALID_MS })
    return token
  }

  /** Uses up a token. Returns its states if it was issued about the same thing and is still valid. */
  redeem(token: string, about: unknown): States | undefined {
    const issued = this.#issued.get(token)
    this.#issued.delete(token)
    if (issued === undefined || issued.about !== JSON.stringify(about)) return undefined
    return this.#runtime.clock.now() < issued.expiresAt ? issued.states : undefined
  }
}

/** What the tools of one client work with. */
export class Session {
  readonly context: Context
  readonly flags: McpFlags
  readonly local = new LocalServer()
  /** Lists of the configured service that are being read. */
  readonly lists: ListWalks
  /** Deletions that were previewed, and changes that the user was asked about. */
  readonly confirmations: Confirmations

  constructor(context: Context, flags: McpFlags) {
    this.context = context
    this.flags = flags
    this.lists = new ListWalks(context.runtime.randomId, (error) => shownError(error, context))
    this.confirmations = new Confirmations(context.runtime)
  }

  async close(): Promise<void> {
    await this.local.stop()
  }
}
