import type { Context } from '../context.ts'
import type { McpFlags } from './flags.ts'
import { LocalServer } from './local-server.ts'

/** What the tools of one client work with. */
export class Session {
  readonly context: Context
  readonly flags: McpFlags
  /** The reference server of this session. */
  readonly local = new LocalServer()

  constructor(context: Context, flags: McpFlags) {
    this.context = context
    this.flags = flags
  }

  async close(): Promise<void> {
    await this.local.stop()
  }
}
