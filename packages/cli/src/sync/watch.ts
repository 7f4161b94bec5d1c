import type { FormStatus, SyncStatus } from '@formwire/sync'
import { version } from '../version.ts'
import { EXPOSITION_TYPE, exposition } from './metrics.ts'

/** What a synchronization shows of itself. */
export interface Watched {
  /** What is done for each workspace in this process. */
  workspaces(): readonly { workspace: string; status: SyncStatus }[]
  /** How far the tables are. @throws if the database cannot be read */
  forms(): Promise<readonly FormStatus[]>
  /** Reads nothing from the database. @throws if it cannot be reached */
  ping(): Promise<unknown>
}

/** The response to a GET request. */
export interface WatchResponse {
  status: number
  contentType: string
  body: string
}

/** Milliseconds for which the numbers of the tables are used again: to count rows takes long for many. */
const FRESH_MS = 15_000

/** Milliseconds after which the database counts as out of reach. */
const PATIENCE_MS = 5_000

/** Responds to scrapes and health checks. */
export class Watch {
  readonly #watched: Watched
  readonly #now: () => number
  #forms: { at: number; read: Promise<readonly FormStatus[] | undefined> } | undefined

  constructor(watched: Watched, now: () => number) {
    this.#watched = watched
    this.#now = now
  }

  /** Returns the response for a path, or undefined for an unknown one. */
  async respond(path: string): Promise<WatchResponse | undefined> {
    if (path === '/metrics') {
      const forms = await this.#readForms()
      const isReady = this.#unready().length === 0 && forms !== undefined
      const body = await exposition({ workspaces: this.#watched.workspaces(), forms, isReady, version })
      return { status: 200, contentType: EXPOSITION_TYPE, body }
    }
    if (path === '/healthz') return verdict(this.#stuck())
    if (path === '/readyz') {
      const reasons = this.#unready()
      const failure = await within(this.#watched.ping())
      if (failure) reasons.push(`the database cannot be reached: ${failure}`)
      return verdict([...new Set(reasons)])
    }
    return undefined
  }

  /** Returns the numbers of the tables; one read at a time, and none while the last one is fresh. */
  #readForms(): Promise<readonly FormStatus[] | undefined> {
    if (this.#forms && this.#now() - this.#forms.at < FRESH_MS) return this.#forms.read
    const reading = this.#watched.forms()
    const read = within(reading).then((failure) => (failure === undefined ? reading : undefined))
    const forms = { at: this.#now(), read }
    this.#forms = forms
    // A failure is not fresh: the next scrape tries again.
    void read.then((found) => {
      if (found === undefined && this.#forms === forms) this.#forms = undefined
    })
    return read
  }

  #stuck(): string[] {
    const now = new Date(this.#now()).toISOString()
    return this.#watched
      .workspaces()
      .filter(({ status: { expected_by } }) => expected_by !== null && expected_by < now)
      .map(({ workspace, status }) => `workspace ${workspace} should have moved by ${status.expected_by}`)
  }

  #unready(): string[] {
    return this.#watched.workspaces().flatMap(({ workspace, status: { rounds, outage } }) => {
      const reasons = rounds === 0 ? [`the first round of workspace ${workspace} has not ended`] : []
      const cannot = outage?.startsWith('database_') ? 'database' : 'service'
      return outage === null ? reasons : [...reasons, `the ${cannot} cannot be reached: ${outage}`]
    })
  }
}

function verdict(reasons: readonly string[]): WatchResponse {
  const ok = reasons.length === 0
  const body = `${JSON.stringify(ok ? { ok } : { ok, reasons })}\n`
  return { status: ok ? 200 : 503, contentType: 'application/json', body }
}

/** Returns why a read of the database failed, without what it contains: a code, or that it took too long. */
async function within(read: Promise<unknown>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), PATIENCE_MS)
  })
  const failed = read.then(
    () => undefined,
    (error: { code?: unknown }) =>
      typeof error?.code === 'string' ? `database_${error.code}` : 'database_error',
  )
  return await Promise.race([failed, late]).finally(() => clearTimeout(timer))
}
