import type { Catalog } from '@formwire/contract/control'
import type { ReferenceServer, ReferenceServerOptions } from '@formwire/reference-server'
import type { SeedFactory } from '@formwire/reference-server/testing'
import { Failure } from '../failure.ts'
import { envelopeOf, errorFacts } from '../http/service.ts'
import { rejectionOf } from '../interrupt.ts'
import { nameMissing, toolFailure } from './failures.ts'

/** What a client needs to use the local server. Its keys are worth nothing elsewhere. */
export interface LocalServerInfo {
  url: string
  write_key: string
  read_key: string
  admin_token: string
  clock: { mode: 'real' | 'manual'; now: string }
  /** What to know about a manual clock. */
  note?: string
}

const MANUAL_CLOCK =
  'the clock stands still until it is advanced: a program with its own clock refuses signatures once they differ by 5 minutes; for one, start with clock real, and retry deliveries with the tool deliveries'

interface Running {
  server: ReferenceServer
  url: string
}

/** The reference server of a session, in this process, on a free port of 127.0.0.1. */
export class LocalServer {
  #running: Running | undefined
  /** Ends with the last start or stop that was asked for. */
  #last: Promise<unknown> = Promise.resolve()
  #samples: SeedFactory | undefined
  /** Secrets of the endpoints that this session has created, by id. */
  readonly secrets = new Map<number, string>()
  /** When attempts of deliveries were first seen by this session, in real time. */
  readonly seen = new Map<string, number>()

  /** Starts the server. @throws Failure `already_running`, `invalid_option` or `invalid_seed` */
  start(options: ReferenceServerOptions): Promise<LocalServerInfo> {
    return this.#inTurn(async () => {
      if (this.#running)
        throw toolFailure(
          'already_running',
          `a local server is already running at ${this.#running.url}`,
          'tool server: action status shows its keys, and reset empties it; to start another, action stop first, which discards its data',
        )
      const { createReferenceServer, OptionError } = await import('@formwire/reference-server')
      let server: ReferenceServer | undefined
      try {
        server = createReferenceServer(options)
        await server.ready.catch((error: Error) => {
          throw toolFailure('invalid_seed', error.message)
        })
        const { url } = await server.listen({ port: 0 })
        this.#running = { server, url }
      } catch (error) {
        await server?.close()
        if (!(error instanceof OptionError)) throw error
        throw toolFailure('invalid_option', error.message)
      }
      return await this.info()
    })
  }

  /** Stops the server. Returns whether one was running. */
  stop(): Promise<boolean> {
    return this.#inTurn(() => this.#close())
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** @throws Failure `no_server` */
  async info(): Promise<LocalServerInfo> {
    const { server, url } = this.#require()
    const { writeKey: write_key, readKey: read_key, adminToken: admin_token } = server
    const clock = await this.call<LocalServerInfo['clock']>('GET', '/clock')
    const info = { url, write_key, read_key, admin_token, clock }
    return clock.mode === 'manual' ? { ...info, note: MANUAL_CLOCK } : info
  }

  /**
   * Calls the control API and returns `data`.
   * @throws Failure `no_server`, or the code and the message of the server
   */
  async call<Data>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Data> {
    const running = this.#require()
    const aborted = rejectionOf(signal)
    try {
      const control = this.#control(running, path, { method, ...(signal && { signal }) }, body)
      // An advance of the clock goes on without its request.
      return (await Promise.race([control, aborted.promise])) as Data
    } catch (error) {
      if (!(error instanceof Failure && error.status === 404)) throw error
      throw await nameMissing(error, path, (list) => this.#control(running, list))
    } finally {
      aborted.forget()
    }
  }

  /** Returns parts of the catalog; deliveries are those of all endpoints, newest first. @throws Failure as {@link call} */
  async catalog<Part extends keyof Catalog>(...parts: Part[]): Promise<Required<Pick<Catalog, Part>>> {
    return await this.call('GET', `/catalog?include=${parts.join()}`)
  }

  /** Checks the URL of an endpoint as the server does, without a form to add it to. @throws Failure as {@link call} */
  async checkUrl(url: string): Promise<void> {
    const { createReferenceServer } = await import('@formwire/reference-server')
    const server = createReferenceServer({ addressRules: 'loopback', clock: 'manual' })
    try {
      const { id } = server.app.forms.create({ title: 'Form' })
      const scratch = { server, url: this.#require().url }
      await this.#control(scratch, `/forms/${id}/webhooks`, { method: 'POST' }, { url })
    } finally {
      await server.close()
    }
  }

  #control(running: Running, path: string, init: RequestInit = {}, body?: unknown): Promise<unknown> {
    const authorization = `Bearer ${running.server.adminToken}`
    return this.#fetch(running, `/_app${path}`, { ...init, headers: { authorization } }, body)
  }

  /** Posts to the public link of a form, as a respondent does. @throws Failure as {@link call} */
  respond(path: string, body?: unknown): Promise<unknown> {
    const init = { method: 'POST', headers: { accept: 'application/json' } }
    return this.#fetch(this.#require(), path, init, body)
  }

  /** Returns the generator of sample answers, which starts over with each start of the server. */
  async samples(): Promise<SeedFactory> {
    const { createSeedFactory } = await import('@formwire/reference-server/testing')
    this.#samples ??= await createSeedFactory(1)
    return this.#samples
  }

  async #fetch({ server, url }: Running, path: string, init: RequestInit, body: unknown): Promise<unknown> {
    const headers = { ...init.headers, 'content-type': 'application/json' }
    const sent = body === undefined ? init : { ...init, headers, body: JSON.stringify(body) }
    const response = await server.fetch(`${url}${path}`, sent)
    const envelope = envelopeOf(await response.text())
    if (response.ok) return envelope.data
    const { code, ...facts } = errorFacts(envelope, response.status)
    const message = envelope.error?.message ?? `the server responded with ${response.status}`
    throw toolFailure(code, message, undefined, facts)
  }

  #require(): Running {
    if (this.#running) return this.#running
    throw toolFailure(
      'no_server',
      'no local server is running',
      'start one: tool server, {"action": "start"}; no tool reads the deliveries of a configured service, which its API does not give out: its app shows them, or formwire deliveries list FORM WEBHOOK for a reference server',
    )
  }

  async #close(): Promise<boolean> {
    const running = this.#running
    this.#running = undefined
    this.#samples = undefined
    this.secrets.clear()
    this.seen.clear()
    await running?.server.close()
    return running !== undefined
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const next = this.#last.then(work, work)
    this.#last = next.catch(() => undefined)
    return next
  }
}
