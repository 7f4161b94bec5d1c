import type { Formwire } from '@formwire/sdk'
import type { AdminClient } from './admin/client.ts'
import type { CatalogEntry } from './catalog.ts'
import { type Credentials, resolveBaseUrl, resolveCredentials } from './config/credentials.ts'
import { EXIT } from './exit.ts'
import { Failure } from './failure.ts'
import { Output } from './output/output.ts'
import type { Runtime } from './runtime.ts'

/** The options that every command takes. */
export interface GlobalOptions {
  baseUrl?: string | undefined
  profile?: string | undefined
  json?: boolean | undefined
  /** False after `--no-color`. */
  color?: boolean | undefined
  yes?: boolean | undefined
  quiet?: boolean | undefined
}

/** What a command works with. Nothing is read, connected or loaded before it is asked for. */
export class Context {
  readonly runtime: Runtime
  readonly global: GlobalOptions
  readonly output: Output
  /** Every command of the program, for completion. */
  readonly catalog: readonly CatalogEntry[]
  readonly #cleanups: (() => Promise<void> | void)[] = []
  readonly #secrets: string[] = []
  #credentials: Credentials | undefined
  #client: Promise<Formwire> | undefined

  constructor(runtime: Runtime, global: GlobalOptions, catalog: readonly CatalogEntry[] = []) {
    this.catalog = catalog
    this.runtime = runtime
    this.global = global
    this.output = new Output(runtime, {
      json: global.json === true,
      quiet: global.quiet === true,
      noColour: global.color === false,
    })
    this.hide(runtime.env.FORMWIRE_API_KEY)
    this.hide(runtime.env.FORMWIRE_ADMIN_TOKEN)
    this.hide(runtime.env.FORMWIRE_WEBHOOK_SECRET)
  }

  /** Keeps a key, token or secret out of every error message from now on. */
  hide(secret: string | undefined): void {
    if (secret !== undefined && secret !== '') this.#secrets.push(secret)
  }

  /** What must not appear in an error. */
  get secrets(): readonly string[] {
    return this.#secrets
  }

  /** Base URL and key. @throws Failure exit 2 without a base URL, exit 4 without a key */
  credentials(): Credentials {
    if (!this.#credentials) {
      this.#credentials = resolveCredentials(this.runtime, this.global)
      this.hide(this.#credentials.apiKey)
    }
    return this.#credentials
  }

  /** The base URL alone, for what needs no key. @throws Failure exit 2 without one */
  baseUrl(): string {
    return resolveBaseUrl(this.runtime, this.global)
  }

  /** The API client. @throws as `credentials` */
  client(): Promise<Formwire> {
    this.#client ??= (async () => {
      const credentials = this.credentials()
      const { createClient } = await import('./http/api-client.ts')
      return createClient(this, credentials)
    })()
    return this.#client
  }

  /**
   * The app's side of a reference server, with FORMWIRE_ADMIN_TOKEN or `--admin-token`.
   * @throws Failure exit 2 without a base URL, exit 4 without a token
   */
  async admin(tokenOption: string | undefined): Promise<AdminClient> {
    const baseUrl = this.baseUrl()
    const token = tokenOption ?? this.runtime.env.FORMWIRE_ADMIN_TOKEN
    if (token === undefined || token === '') {
      throw new Failure('no admin token', {
        exitCode: EXIT.notAllowed,
        code: 'no_admin_token',
        hint: 'set FORMWIRE_ADMIN_TOKEN to the admin_token that formwire-server prints at its start',
      })
    }
    this.hide(token)
    const { AdminClient } = await import('./admin/client.ts')
    return new AdminClient({ baseUrl, token, stop: this.runtime.stop })
  }

  /** Runs `cleanup` when the command ends, whatever ends it; the latest first. Returns a function that takes it back. */
  onExit(cleanup: () => Promise<void> | void): () => void {
    this.#cleanups.push(cleanup)
    return () => {
      const at = this.#cleanups.indexOf(cleanup)
      if (at >= 0) this.#cleanups.splice(at, 1)
    }
  }

  /** Runs what `onExit` collected. A cleanup that fails is told and does not stop the others. */
  async cleanUp(): Promise<void> {
    for (let cleanup = this.#cleanups.pop(); cleanup; cleanup = this.#cleanups.pop()) {
      try {
        await cleanup()
      } catch (error) {
        this.output.announce('cleanup_failed', `while cleaning up: ${(error as Error).message}`)
      }
    }
  }
}
