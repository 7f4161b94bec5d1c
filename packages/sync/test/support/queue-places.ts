import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'
import { node22 } from '../../../../test/support/node-22.ts'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { type Spawned, startProgram } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import type { InboxQueue } from '../../src/inbox/index.ts'
import type { InboxWorkerSettings } from '../process/inbox-worker-settings.ts'
import { type Service, startService } from './service.ts'

/** A line of the log of the workers. */
export interface Logged {
  event: 'started' | 'begun' | 'handled' | 'recorded' | 'failed'
  id: number
  process: string
  source: 'webhook' | 'poll' | 'none'
}

/** A process of an inbox. */
export type InboxProcess = Spawned & { name: string }

type Given = Pick<InboxWorkerSettings, 'database' | 'baseUrl'> & { program: string }

/** A service, and processes with an inbox. */
export class QueuePlaces {
  readonly service: Service
  readonly form: string
  readonly #given: Given
  readonly #directory = mkdtempSync(join(temporaryDirectory(), 'queue-'))
  readonly #running = new Set<Spawned>()
  #started = 0
  #admin: ChildProcess | undefined

  /** @param database URL of PostgreSQL, whose queue keeps the responses; without it, the processes have claims. */
  static async start(database?: string): Promise<QueuePlaces> {
    const program = await bundled(new URL('../process/inbox-worker.ts', import.meta.url))
    const service = await startService()
    const { url } = await service.server.listen({ port: 0 })
    return new QueuePlaces(service, { program, database, baseUrl: url })
  }

  private constructor(service: Service, given: Given) {
    this.service = service
    this.form = service.form()
    this.#given = given
    writeFileSync(this.#log, '')
  }

  get #log(): string {
    return join(this.#directory, 'handled.log')
  }

  get #secret(): string {
    return join(this.#directory, 'secret')
  }

  /** Starts a process, with a queue on Node 22. */
  open(roles: InboxWorkerSettings['roles'], more: Partial<InboxWorkerSettings> = {}): InboxProcess {
    const { program, ...given } = this.#given
    this.#started += 1
    const settings: InboxWorkerSettings = {
      ...given,
      name: `process${this.#started}`,
      roles,
      form: this.form,
      apiKey: this.service.server.writeKey,
      directory: this.#directory,
      secret: this.#secret,
      log: this.#log,
      ...more,
    }
    const node = given.database === undefined ? process.execPath : node22
    const spawned = startProgram(node, [program, JSON.stringify(settings)], {})
    this.#running.add(spawned)
    void spawned.finished.then(() => this.#running.delete(spawned))
    return Object.assign(spawned, { name: settings.name })
  }

  /** Starts a receiver, and returns the URL of its endpoint. */
  async receiver(more: Partial<InboxWorkerSettings> = {}): Promise<string> {
    return `http://127.0.0.1:${await this.open(['receive'], more).firstLine}/`
  }

  /** Creates an endpoint on the form, adds its secret to those of the receivers, and returns its id. */
  async endpoint(url: string): Promise<number> {
    const { id, secret } = await this.service.server.app.webhooks.create(this.form, { url })
    appendFileSync(this.#secret, `${secret}\n`)
    return id
  }

  /** Calls a method of the queue in another process. */
  async call(method: keyof InboxQueue, ...given: unknown[]): Promise<unknown> {
    const program = await bundled(new URL('../process/queue-admin.ts', import.meta.url))
    this.#admin ??= fork(program, [String(this.#given.database)], { execPath: node22, execArgv: [] })
    const reply = once(this.#admin, 'message')
    this.#admin.send({ method, given })
    const ended = once(this.#admin, 'exit').then(([code]) => [
      { result: undefined, error: `the admin ended with ${code}` },
    ])
    const [{ result, error }] = await Promise.race([reply, ended])
    if (error !== undefined) throw new Error(error)
    return result
  }

  /** Adds a call of a handler of this process. */
  note(id: number, { source }: Pick<Logged, 'source'>): void {
    appendFileSync(this.#log, `handled ${id} here ${source}\n`)
  }

  logged(event?: Logged['event']): Logged[] {
    return readFileSync(this.#log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' ') as [Logged['event'], string, string, Logged['source']])
      .map(([event, id, process, source]) => ({ event, id: Number(id), process, source }))
      .filter((one) => event === undefined || one.event === event)
  }

  /** Ids of handled responses, as often as they were handled. */
  handledIds(): number[] {
    return this.logged('handled')
      .map(({ id }) => id)
      .sort((a, b) => a - b)
  }

  /** Waits until each of the ids was handled. */
  async untilHandled(ids: readonly number[], timeout = WAIT_MS): Promise<void> {
    const missing = (): number[] => {
      const handled = new Set(this.handledIds())
      return ids.filter((id) => !handled.has(id))
    }
    await expect.poll(missing, { timeout, interval: 100 }).toEqual([])
  }

  /** Waits until SIGTERM stops each of the processes: it would kill one that is still starting. */
  async untilStarted(processes: readonly { name: string }[]): Promise<void> {
    const started = (): string[] => this.logged('started').map(({ process }) => process)
    const expected = expect.arrayContaining(processes.map(({ name }) => name))
    await expect.poll(started, { timeout: WAIT_MS }).toEqual(expected)
  }

  async close(): Promise<void> {
    this.#admin?.kill('SIGKILL')
    for (const { child, finished } of this.#running) {
      child.kill('SIGKILL')
      await finished
    }
    await this.service.server.close()
  }
}
