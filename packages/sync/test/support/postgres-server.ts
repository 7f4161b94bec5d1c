import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { postgresBin } from '../../../../test/support/programs.ts'

/** The driver, for what is not a package of its own. */
export { pg }

/** A PostgreSQL server of its own, on a unix socket in a temporary folder. */
export interface PostgresServer {
  /** URL of its database. */
  url: string
  /** Folder of its socket. */
  folder: string
  /** Process id of the server. */
  readonly pid: number
  /** Ends the server and its connections immediately, and keeps its data. */
  halt(): Promise<void>
  /** Starts it again. */
  restart(): Promise<void>
  /** Ends it and deletes its data. */
  stop(): Promise<void>
}

/** Runs statements on a connection of their own. */
export async function queryOnce(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows ?? []
  } finally {
    await client.end()
  }
}

/**
 * Starts a server. It refuses to run as root, so it then runs as the user `postgres`. A run of tests makes the data of an empty one once:
 * a copy takes a fraction of the time.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const { FORMWIRE_SCRATCH: scratch } = process.env
  const made = scratch && join(scratch, 'postgres')
  if (made && existsSync(made)) {
    const folders = createFolders('formwire-pg-')
    copy(made, folders.data)
    return await serve(folders)
  }
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--no-instructions']
  const folders = filledBy('initdb', options)
  if (made) keep(folders.data, made)
  return await serve(folders)
}

/** Copies data to where others find them, unless another worker was first. */
function keep(data: string, made: string): void {
  const own = mkdtempSync(`${made}-`)
  copy(data, own)
  try {
    renameSync(own, made)
  } catch {
    rmSync(own, { recursive: true })
  }
}

/** Copies what is in a folder, with its owners and modes. */
const copy = (from: string, to: string): void => void execFileSync('cp', ['-a', `${from}/.`, to])

/** Starts a hot standby of a server, which only reads until it is promoted: `SELECT pg_promote()`. */
export async function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  const options = ['-h', primary.folder, '-U', 'postgres', '-R', '-c', 'fast', '--no-sync']
  return await serve(filledBy('pg_basebackup', options))
}

/** Starts pgbouncer in transaction mode in front of a server, with a few connections to it. Returns the URL of one of its databases. */
export async function startPgbouncer(
  server: PostgresServer,
  size: number,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { root, user } = createFolders('formwire-pgbouncer-')
  const settings = join(root, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]
* = host=${server.folder} user=postgres
[pgbouncer]
listen_port = 6432
unix_socket_dir = ${root}
auth_type = any
pool_mode = transaction
default_pool_size = ${size}
`,
  )
  const child = spawn('pgbouncer', [settings], { ...user, cwd: root, stdio: 'ignore' })
  const url = `postgres://postgres@localhost:6432/postgres?host=${encodeURIComponent(root)}`
  await connected(url, child)
  return {
    url,
    async stop() {
      await ended(child)
      rmSync(root, { recursive: true, force: true })
    },
  }
}

interface Folders {
  root: string
  data: string
  user: { uid?: number; gid?: number }
}

function createFolders(prefix: string): Folders {
  const root = mkdtempSync(join(tmpdir(), prefix))
  const data = join(root, 'data')
  mkdirSync(data, { mode: 0o700 })
  const user = process.getuid?.() === 0 ? postgresUser() : {}
  if (user.uid !== undefined && user.gid !== undefined) {
    chownSync(root, user.uid, user.gid)
    chownSync(data, user.uid, user.gid)
  }
  return { root, data, user }
}

/** Creates folders whose data a program of PostgreSQL writes. */
function filledBy(program: string, options: readonly string[]): Folders {
  const folders = createFolders('formwire-pg-')
  const { root, data, user } = folders
  execFileSync(join(postgresBin(), program), ['-D', data, ...options], { ...user, cwd: root, stdio: 'pipe' })
  return folders
}

async function serve({ root, data, user }: Folders): Promise<PostgresServer> {
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'listen_addresses=']
  const serverArguments = ['-D', data, '-k', root, ...settings.flatMap((one) => ['-c', one])]
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(root)}`
  const start = async (): Promise<ChildProcess> => {
    const server = spawn(join(postgresBin(), 'postgres'), serverArguments, {
      ...user,
      cwd: root,
      stdio: 'ignore',
    })
    await connected(url, server)
    return server
  }
  let server = await start()
  const halt = (): Promise<void> => ended(server)
  return {
    url,
    folder: root,
    get pid() {
      return server.pid as number
    },
    halt,
    async restart() {
      await halt()
      server = await start()
    },
    async stop() {
      // Without writing to disk what is deleted now.
      await ended(server, 'SIGQUIT')
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Ends a server, with its connections. */
async function ended(server: ChildProcess, signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = new Promise((resolve) => server.once('exit', resolve))
  server.kill(signal)
  await exit
}

function postgresUser(): { uid?: number; gid?: number } {
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function connected(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}`)
    if (await queryOnce(url, 'SELECT 1').catch(() => undefined)) return
    await sleep(50)
  }
}
