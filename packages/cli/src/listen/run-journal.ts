import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { writeWholeSync } from '@formwire/internal/temporary-file'
import type { ConfigEnvironment, Runtime } from '../runtime.ts'

/**
 * A temporary endpoint of a run. `id` and `created_at` are null between the request and its response: until then, nothing proves
 * that an endpoint with this URL is not somebody else's.
 */
export interface JournalEndpoint {
  form_id: string
  id: number | null
  url: string
  created_at: string | null
}

/** The temporary endpoints of one `listen` process, so that a later one can find those of a killed process. */
interface RunFile {
  version: 1
  pid: number
  host: string
  base_url: string
  endpoints: JournalEndpoint[]
}

/** Limits for what is read: only this program writes the folder. */
const MAX_RUNS = 200
const MAX_ENDPOINTS = 100

/** Writes the endpoints of this process to a file of its own. Failures are ignored: the journal is a convenience. */
export class RunJournal {
  readonly #path: string
  readonly #run: RunFile

  constructor(
    runtime: ConfigEnvironment & Pick<Runtime, 'randomId'>,
    baseUrl: string,
    owner: { pid: number; host: string } = { pid: process.pid, host: hostname() },
  ) {
    this.#path = join(directory(runtime), `${owner.pid}-${runtime.randomId()}.json`)
    this.#run = { version: 1, ...owner, base_url: baseUrl, endpoints: [] }
  }

  /** Adds an endpoint before it is requested. Set `id` and `created_at` and call `save` once they are known. */
  add(formId: string, url: string): JournalEndpoint {
    const endpoint: JournalEndpoint = { form_id: formId, id: null, url, created_at: null }
    this.#run.endpoints.push(endpoint)
    this.save()
    return endpoint
  }

  /** Removes an endpoint that was deleted. Removes the file with the last one. */
  remove(endpoint: JournalEndpoint): void {
    const at = this.#run.endpoints.indexOf(endpoint)
    if (at >= 0) this.#run.endpoints.splice(at, 1)
    this.save()
  }

  save(): void {
    quietly(() => write(this.#path, this.#run))
  }
}

/** An endpoint that a process left behind when it was killed. */
export interface LeftEndpoint extends JournalEndpoint {
  /** Removes it from the journal of that process. */
  forget(): void
}

/** Returns the endpoints at this server whose process no longer runs on this machine. */
export function leftEndpoints(
  runtime: ConfigEnvironment,
  baseUrl: string,
  isRunning = isAlive,
): LeftEndpoint[] {
  const found: LeftEndpoint[] = []
  for (const path of runFiles(directory(runtime))) {
    const run = readRun(path)
    if (!run || run.base_url !== baseUrl || run.host !== hostname() || isRunning(run.pid)) continue
    for (const endpoint of run.endpoints.slice(0, MAX_ENDPOINTS)) {
      const forget = (): void => {
        run.endpoints = run.endpoints.filter((one) => one !== endpoint)
        quietly(() => write(path, run))
      }
      found.push({ ...endpoint, forget })
    }
  }
  return found
}

/** `$XDG_STATE_HOME/formwire/listen`, or below `~/.local/state`. */
function directory({ env, homeDir }: ConfigEnvironment): string {
  const stateHome = env.XDG_STATE_HOME
  return join(
    stateHome && isAbsolute(stateHome) ? stateHome : join(homeDir, '.local', 'state'),
    'formwire',
    'listen',
  )
}

function runFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .slice(0, MAX_RUNS)
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

function readRun(path: string): RunFile | undefined {
  try {
    const run = JSON.parse(readFileSync(path, 'utf8')) as Partial<RunFile>
    const valid =
      run.version === 1 &&
      Number.isSafeInteger(run.pid) &&
      typeof run.base_url === 'string' &&
      Array.isArray(run.endpoints) &&
      run.endpoints.every(
        (one) =>
          typeof one?.form_id === 'string' &&
          typeof one.url === 'string' &&
          (one.id === null || Number.isSafeInteger(one.id)) &&
          (one.created_at === null || typeof one.created_at === 'string'),
      )
    return valid ? (run as RunFile) : undefined
  } catch {
    return undefined
  }
}

function write(path: string, run: RunFile): void {
  if (run.endpoints.length === 0) {
    rmSync(path, { force: true })
    return
  }
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  writeWholeSync(path, `${JSON.stringify(run)}\n`)
}

function quietly(action: () => void): void {
  try {
    action()
  } catch {
    // For example a read-only home directory.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
