import { setTimeout as sleep } from 'node:timers/promises'
import { vi } from 'vitest'
import type { FleetWorkspace } from '../../src/fleet/index.ts'
import { type AtEnd, type FleetDatabase, type FleetProcess, fleetDatabase, startWorker } from './fleet.ts'
import { seeded } from './random.ts'
import { type Service, startService } from './service.ts'
import { expectForms, expectResponses } from './truth.ts'

/** Requests a minute that each key may send. */
export const KEY_LIMIT = 120

const FORMS = 12
const INTERVAL_MS = 5000
/** Milliseconds between two changes, so many that a large part of the budget is used. */
const CHANGE_MS = 300
const PATIENCE_MS = 300_000

/** What the gates are about. */
export interface Outcome {
  /** Seconds from the end of the fault until the tables were equal to the service. */
  equalAfter: number
  /** The most requests of one key within a minute, and the requests that a service refused. */
  most: number
  limited: number
  /** Rows, and what `onResponse` wrote in their transactions. */
  rows: number
  outbox: number
  distinct: number
  /** Exit codes of the workers after SIGTERM. */
  codes: (number | null)[]
}

interface StagedWorkspace {
  id: string
  service: Service
  given: FleetWorkspace
}

/** What a stage has. */
interface Given {
  database: FleetDatabase
  /** Where workers find it. */
  url: string
  workspaces: readonly StagedWorkspace[]
  forms: readonly string[]
  random: (below: number) => number
  atEnd: AtEnd
}

/** Two workspaces with forms of the same ids, each at a service of its own, which the workers of a fleet keep in the same tables. */
export class FleetStage {
  readonly database: FleetDatabase
  readonly #given: Given
  readonly #workers: FleetProcess[] = []

  /** @param options.workersTo a server through which workers reach the one of `server` @param options.seed draws the changes */
  static async start(
    server: string,
    { workersTo = server, seed, atEnd }: { workersTo?: string; seed: number; atEnd: AtEnd },
  ): Promise<FleetStage> {
    const real = { clock: 'real', limits: { requestsPerMinute: KEY_LIMIT }, journalSize: 20_000 } as const
    const first = await startService(real)
    const forms = Array.from({ length: FORMS }, (_, index) => first.form(`Form ${index}`))
    for (const [index, form] of forms.entries()) first.add(form, index === 0 ? 130 : index)
    // The same forms and responses, in the workspace 2.
    const copy = JSON.stringify(first.server.app.snapshot.take())
      .replace('"workspaces":[{"id":1,', '"workspaces":[{"id":2,')
      .replaceAll(/"(workspaceId|lastWorkspaceId)":1\b/g, '"$1":2')
    const second = await startService({ ...real, snapshot: JSON.parse(copy) })
    const workspaces: StagedWorkspace[] = []
    for (const [id, service, keys] of [
      [1, first, 2],
      [2, second, 1],
    ] as const) {
      const { url: baseUrl } = await service.server.listen({ port: 0 })
      atEnd(() => service.server.close())
      // Both services know the first keys, so these are others.
      const apiKeys = Array.from(
        { length: keys },
        () => service.server.app.keys.create({ name: 'fleet', scope: 'read', workspace_id: id }).key,
      )
      workspaces.push({ id: String(id), service, given: { name: `workspace-${id}`, apiKeys, baseUrl } })
    }
    const database = await fleetDatabase(server, atEnd)
    const url = new URL(workersTo)
    url.pathname = new URL(database.url).pathname
    return new FleetStage({ database, url: url.href, workspaces, forms, random: seeded(seed), atEnd })
  }

  private constructor(given: Given) {
    this.database = given.database
    this.#given = given
  }

  /** Starts a worker, by default for both workspaces. @param options.clockMs how far its clock is ahead */
  async worker({ workspaces = 2, clockMs = 0 } = {}): Promise<FleetProcess> {
    const given = this.#given.workspaces.slice(0, workspaces).map((workspace) => workspace.given)
    const options = { connectionString: this.#given.url, workspaces: given, intervalMs: INTERVAL_MS }
    const worker = await startWorker(options, { clockMs, atEnd: this.#given.atEnd })
    this.#workers.push(worker)
    return worker
  }

  /** Waits until the tables have rows of all workspaces. */
  async followed(workspaces = 2): Promise<void> {
    const followed = async () => {
      const rows = await this.database.query(
        'SELECT workspace_id FROM formwire_sync_state WHERE synced_at IS NOT NULL GROUP BY 1 HAVING count(*) = $1',
        [FORMS],
      )
      return rows.length === workspaces
    }
    await vi.waitUntil(() => followed().catch(() => false), { timeout: PATIENCE_MS, interval: 200 })
  }

  /** Slows requests down until the returned function is called. */
  delay(path: string, delay_ms: number): () => void {
    const faults = this.#given.workspaces.map(({ service: { server } }) => ({
      faults: server.app.faults,
      id: server.app.faults.add({ path, delay_ms }).id,
    }))
    return () => {
      for (const { faults: of, id } of faults) of.remove(id)
    }
  }

  /** Jobs in the queue. */
  async jobs(condition: string): Promise<number> {
    const rows = await this.database.query(`SELECT FROM formwire_queue.job WHERE ${condition}`)
    return rows.length
  }

  /** Responses come and are deleted while `strike` lasts. Then waits until the tables are equal, and stops the workers. */
  async run(strike: () => Promise<unknown>): Promise<Outcome> {
    const over = new AbortController()
    const changing = this.#change(over.signal)
    try {
      await strike()
    } finally {
      over.abort()
      await changing
    }
    const endedAt = performance.now()
    await this.#untilEqual()
    const equalAfter = (performance.now() - endedAt) / 1000
    const running = this.#workers.filter(({ child }) => child.signalCode === null)
    for (const { child } of running) child.kill('SIGTERM')
    const ended = await Promise.all(running.map(({ finished }) => finished))
    const [counted] = await this.database.query(`SELECT (SELECT count(*) FROM formwire_responses) AS rows,
      (SELECT count(*) FROM outbox) AS outbox, (SELECT count(*) FROM (SELECT DISTINCT * FROM outbox) AS o) AS distinct`)
    return {
      equalAfter,
      ...this.#requests(),
      rows: Number(counted?.rows),
      outbox: Number(counted?.outbox),
      distinct: Number(counted?.distinct),
      codes: ended.map(({ code }) => code),
    }
  }

  async #change(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { service } = this.#given.workspaces[this.#given.random(2)] as StagedWorkspace
      const form = this.#given.forms[this.#given.random(FORMS)] as string
      const submitted = service.submitted(form)
      const id = submitted[this.#given.random(submitted.length)]
      if (this.#given.random(4) > 0 || id === undefined) service.add(form, 1, () => new Date().toISOString())
      else service.server.app.responses.delete(form, id)
      await sleep(CHANGE_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  async #untilEqual(): Promise<void> {
    for (const { id, service, given } of this.#given.workspaces) {
      // On the same responses, whose requests are of no budget.
      const snapshot = service.server.app.snapshot.take()
      const { server } = await startService({ snapshot, publicUrl: String(given.baseUrl) })
      const query = (sql: string) =>
        this.database.query(
          sql.replace(/FROM (\w+)/, `FROM (SELECT * FROM $1 WHERE workspace_id = '${id}') AS own`),
        )
      const truth = { server, query, forms: this.#given.forms }
      await vi.waitFor(() => expectResponses(truth), { timeout: PATIENCE_MS, interval: 500 })
      await vi.waitFor(() => expectForms(truth), { timeout: PATIENCE_MS, interval: 500 })
    }
  }

  #requests(): Pick<Outcome, 'most' | 'limited'> {
    const journals = this.#given.workspaces.map(({ service }) => service.server.app.requests.list())
    const instants = new Map<string, number[]>()
    for (const [service, journal] of journals.entries())
      for (const { key_id, received_at } of journal) {
        const key = `${service} ${key_id}`
        instants.set(key, [...(instants.get(key) ?? []), Date.parse(received_at)])
      }
    return {
      most: Math.max(...[...instants.values()].map(mostInMinute)),
      limited: journals.flat().filter(({ status }) => status === 429).length,
    }
  }
}

/** Returns the most instants within a minute. */
function mostInMinute(instants: readonly number[]): number {
  const sorted = [...instants].sort((a, b) => a - b)
  return Math.max(...sorted.map((from) => sorted.filter((at) => at >= from && at < from + 60_000).length))
}
