import type { Formwire } from '@formwire/sdk'
import {
  type Credentials,
  checkKey,
  resolveCredentials,
  resolveServer,
  type Server,
} from './config/credentials.ts'
import type { ControlClient } from './control/client.ts'
import { fileProblem, notAllowed } from './failure.ts'
import type { createClient } from './http/api-client.ts'
import { Output } from './output/output.ts'
import { textOf } from './output/text-safety.ts'
import type { OutageReport } from './polling/outage-report.ts'
import type { Runtime } from './runtime.ts'

/** The options that every command accepts. */
export interface GlobalOptions {
  baseUrl?: string | undefined
  profile?: string | undefined
  json?: boolean | undefined
  /** The fields of `--json=FIELDS`. */
  fields?: readonly string[] | undefined
  /** False after `--no-color`. */
  color?: boolean | undefined
  yes?: boolean | undefined
  quiet?: boolean | undefined
  /** False after `--no-wait`. */
  wait?: boolean | undefined
  verbose?: boolean | undefined
}

/** What happens when the command ends. */
interface Cleanup {
  run(): Promise<void> | void
  cancelForced: (() => void) | undefined
}

/** Retries of one call of long work. */
const LONG_RETRIES = 10

/** What a command works with. Configuration, connections and clients are created on first use. */
export class Context {
  readonly runtime: Runtime
  readonly global: GlobalOptions
  readonly output: Output
  /** Reports outages of a command that outlives them, in place of a note per retry. */
  connection: OutageReport | undefined
  /** Called for each request of the API client. */
  onRequest: (() => void) | undefined
  /** URLs of the requests of the API client that wait for a response. */
  readonly inFlight = new Set<string>()
  /** The service and the key, once a command has used them. */
  server: (Server & Partial<Credentials>) | undefined
  /** What it does at the moment, if that is not yet what it was asked to do. */
  task: string | undefined
  /** Closes the live view, so that an error is printed below it. */
  leaveView: (() => void) | undefined
  readonly #cleanups: Cleanup[] = []
  #serverTime = Number.NaN
  /** Values that must not appear in an error. */
  readonly secrets: string[]
  #credentials: Credentials | undefined
  #client: Promise<Formwire> | undefined
  #longClient: Promise<Formwire> | undefined

  constructor(runtime: Runtime, global: GlobalOptions) {
    this.runtime = runtime
    this.secrets = runtime.secrets ?? []
    this.global = global
    this.output = new Output(runtime, {
      json: global.json === true,
      fields: global.fields,
      quiet: global.quiet === true,
      noColour: global.color === false,
    })
    this.hide(runtime.env.FORMWIRE_API_KEY)
    this.hide(runtime.env.FORMWIRE_ADMIN_TOKEN)
    this.hide(runtime.env.FORMWIRE_WEBHOOK_SECRET)
  }

  /** Redacts a key, token or secret from every later error message. */
  hide(secret: string | undefined): void {
    if (secret !== undefined && secret !== '') this.secrets.push(secret)
  }

  /** Returns the base URL and the key. @throws Failure exit 2 without a base URL, exit 4 without a key */
  credentials(): Credentials {
    if (!this.#credentials) {
      this.#credentials = resolveCredentials(this.runtime, this.global)
      this.hide(this.#credentials.apiKey)
      this.server = this.#credentials
    }
    return this.#credentials
  }

  /** Returns the base URL, for commands that need no key. @throws Failure exit 2 without one */
  baseUrl(): string {
    this.server = { ...this.server, ...resolveServer(this.runtime, this.global) }
    return this.server.baseUrl
  }

  /** Returns the API client: it waits once when rate limited. @throws as `credentials` */
  client(): Promise<Formwire> {
    this.#client ??= this.#createClient()
    return this.#client
  }

  /**
   * Returns an API client for bulk work: it leaves some of the key's requests to others, and waits as often as it
   * is rate limited.
   * @param perMinute requests a minute, 0 for any number. The first call decides.
   * @param retries of one call: work that waits out failures by itself needs few
   * @throws as `credentials`
   */
  longClient(perMinute?: number, retries = LONG_RETRIES): Promise<Formwire> {
    this.#longClient ??= this.#createClient({ perMinute, retries })
    return this.#longClient
  }

  /** Notes the server's time: the `Date` header of a response. */
  readonly noteDate = (date: string | null): void => {
    this.#serverTime = Date.parse(date ?? '')
  }

  /** Returns what relative times are relative to: the server's time at its latest response, else that of this machine. */
  readonly now = (): number => this.#serverTime || this.runtime.clock.now()

  async #createClient(long?: Parameters<typeof createClient>[2]): Promise<Formwire> {
    const credentials = this.credentials()
    const { createClient } = await import('./http/api-client.ts')
    return createClient(this, credentials, long)
  }

  /**
   * Returns a client of a reference server's control API. The token comes from `--admin-token` or FORMWIRE_ADMIN_TOKEN.
   * @throws Failure exit 2 without a base URL, exit 4 without a token
   */
  async control(tokenOption: string | undefined): Promise<ControlClient> {
    const baseUrl = this.baseUrl()
    const given = tokenOption ?? this.runtime.env.FORMWIRE_ADMIN_TOKEN
    if (given === undefined || given === '')
      throw notAllowed(
        'no_admin_token',
        'no admin token',
        'set FORMWIRE_ADMIN_TOKEN to the admin token that the reference server printed at startup',
      )
    this.hide(given)
    const tokenSource = tokenOption === undefined ? 'FORMWIRE_ADMIN_TOKEN' : '--admin-token'
    const token = checkKey(given, tokenSource, 'admin token')
    const { ControlClient } = await import('./control/client.ts')
    return new ControlClient({
      baseUrl,
      token,
      tokenSource,
      stop: this.runtime.stop,
      env: this.runtime.env,
      noteDate: this.noteDate,
    })
  }

  /**
   * Runs `run` when the command ends for any reason, in reverse order. Returns a function that cancels it.
   * @param forced runs instead, or before `run` has ended, if the process exits at once, such as after a second Ctrl-C. Synchronous.
   */
  onExit(run: () => Promise<void> | void, forced?: () => void): () => void {
    const cleanup = { run, cancelForced: forced && this.runtime.atExit?.(forced) }
    this.#cleanups.push(cleanup)
    return () => {
      const at = this.#cleanups.indexOf(cleanup)
      if (at >= 0) this.#cleanups.splice(at, 1)
      cleanup.cancelForced?.()
    }
  }

  /**
   * Runs the cleanups of `onExit`. A failing cleanup is reported, and does not stop the others.
   *
   * @param failed what the command failed with: a cleanup that fails for the same reason, such as a full disk, is not reported
   */
  async cleanUp(failed?: unknown): Promise<void> {
    for (let cleanup = this.#cleanups.pop(); cleanup; cleanup = this.#cleanups.pop()) {
      try {
        await cleanup.run()
      } catch (error) {
        if (!isSameProblem(error, failed))
          this.output.announce('cleanup_failed', `cleanup failed: ${textOf(error)}`)
      }
      cleanup.cancelForced?.()
    }
  }
}

/** Whether two errors have the same reason in the file system. What was thrown may be anything. */
function isSameProblem(one: unknown, other: unknown): boolean {
  try {
    const problem = fileProblem(one)
    return problem !== undefined && problem === fileProblem(other)
  } catch {
    return false
  }
}
