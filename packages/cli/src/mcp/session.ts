import type { Context } from '../context.ts'
import type { McpFlags } from './flags.ts'
import { LocalServer } from './local-server.ts'
import { Confirmations } from './service/confirmations.ts'
import { ListWalks } from './service/list-walks.ts'

/** What the tools of one client work with. */
export class Session {
  readonly context: Context
  readonly flags: McpFlags
  /** The reference server of this session. */
  readonly local = new LocalServer()
  /** Lists of the configured service that are being read. */
  readonly lists = new ListWalks()
  /** Deletions that were previewed. */
  readonly previews: Confirmations
  /** Changes that the user was asked about. */
  readonly questions: Confirmations

  constructor(context: Context, flags: McpFlags) {
    this.context = context
    this.flags = flags
    this.previews = new Confirmations(context.runtime)
    this.questions = new Confirmations(context.runtime)
  }

  async close(): Promise<void> {
    await this.local.stop()
  }
}
