import type { Context } from '../context.ts'
import type { McpFlags } from './flags.ts'
import { LocalServer } from './local-server.ts'
import { Confirmations } from './service/confirmations.ts'
import { ListWalks } from './service/list-walks.ts'

/** The API gives out no deliveries (DLV-12), and the admin token of a control API is not used: it permits every change. */
const CONFIGURED_HINT =
  'these tools do not read the configured service, whose API has no deliveries: its app shows them, and if it is a reference server, the user can run formwire deliveries list FORM WEBHOOK'

function hasService(context: Context): boolean {
  try {
    return context.baseUrl() !== ''
  } catch {
    return false
  }
}

/** What the tools of one client work with. */
export class Session {
  readonly context: Context
  readonly flags: McpFlags
  /** The reference server of this session. */
  readonly local: LocalServer
  /** Lists of the configured service that are being read. */
  readonly lists = new ListWalks()
  /** Deletions that were previewed. */
  readonly previews: Confirmations
  /** Changes that the user was asked about. */
  readonly questions: Confirmations

  constructor(context: Context, flags: McpFlags) {
    this.context = context
    this.flags = flags
    this.local = new LocalServer(() => (hasService(context) ? CONFIGURED_HINT : undefined))
    this.previews = new Confirmations(context.runtime)
    this.questions = new Confirmations(context.runtime)
  }

  async close(): Promise<void> {
    await this.local.stop()
  }
}
