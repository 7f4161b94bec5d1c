import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { hasProgram } from '../../../../test/support/programs.ts'

/** The driver, for what is not a package of its own. */
export { pg }

/** A PostgreSQL server of its own, on a unix socket in a temporary folder. */
export interface PostgresServer {
  /** URL of its database. */
  url: string
  /** Process id of the server. */
  readonly pid: number
  /** Ends the server and its connections immediately, and keeps its data. */
  halt(): Promise<void>
  /** Starts it again. */
  restart(): Promise<void>
  /** Ends it and deletes its data. */
  stop(): Promise<void>
}

/** Returns the folder of PostgreSQL's programs, or `undefined` if it is not installed. @throws Error in CI if it is missing */
export function postgresBin(): string | undefined {
  const versions = existsSync(ROOT) ? readdirSync(ROOT).sort((a, b) => Number(b) - Number(a)) : []
  const bin = join(ROOT, versions[0] ?? '', 'bin')
  return hasProgram(join(bin, 'postgres')) ? bin : undefined
}

const ROOT = '/usr/lib/postgresql'

/** Starts a server. It refuses to run as root, so it then runs as the user `postgres`. */
export async function startPostgres(bin: string): Promise<PostgresServer> {
  const root = mkdtempSync(join(tmpdir(), 'formwire-pg-'))
  const data = join(root, 'data')
  mkdirSync(data)
  const user = process.getuid?.() === 0 ? postgresUser() : {}
  if (user.uid !== undefined && user.gid !== undefined) {
    chownSync(root, user.uid, user.gid)
    chownSync(data, user.uid, user.gid)
  }
  const initArguments = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-sync',
    '--no-instructions',
  ]
  execFileSync(join(bin, 'initdb'), initArguments, { ...user, cwd: root, stdio: 'pipe' })
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'listen_addresses=']
  const serverArguments = ['-D', data, '-k', root, ...settings.flatMap((one) => ['-c', one])]
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(root)}`
  const start = async (): Promise<ChildProcess> => {
    const server = spawn(join(bin, 'postgres'), serverArguments, { ...user, cwd: root, stdio: 'ignore' })
    await connected(url, server)
    return server
  }
  let server = await start()
  const halt = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGINT')
    await ended
  }
  return {
    url,
    get pid() {
      return server.pid as number
    },
    halt,
    async restart() {
      await halt()
      server = await start()
    },
    async stop() {
      await halt()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function postgresUser(): { uid?: number; gid?: number } {
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function connected(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`)
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return await client.end()
    } catch {
      await sleep(50)
    }
  }
}
