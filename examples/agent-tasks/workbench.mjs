/** What graders work with: a copy of the folder that is graded, its programs, reference servers, and the checks of the CLI. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('node_modules', import.meta.url))
/** The `formwire` command; tests name one that they have built. */
const formwire = process.env.FORMWIRE_CLI ?? join(modules, '@formwire/cli/dist/bin.js')

/** Milliseconds in which a program must accept connections, or end. */
const PATIENCE_MS = 20_000
/** Milliseconds of a command of the CLI, which may rehearse many runs. */
const COMMAND_MS = 300_000
/** Exit code of the CLI. */
const UNREACHABLE = 6
/** Responses of a page. */
const PER_PAGE = 100
/** The form of `service()`, unless its seed says otherwise. */
export const FORM = 'survey000001'

/** A criterion is not met; the message is the reason. */
export class Unmet extends Error {}

/** @returns {never} */
export const unmet = (reason) => {
  throw new Unmet(reason)
}

/** Opens a folder to be graded: a copy, in which the files that the task gave are there even if the folder lacks them. */
export async function openWorkbench(given, folder) {
  if (!existsSync(formwire))
    throw new Error('The packages are not built. Run "npx -y pnpm@12 build" in the repository.')
  const root = mkdtempSync(join(tmpdir(), 'formwire-task-'))
  const work = join(root, 'work')
  for (const source of [given, folder]) cpSync(source, work, { recursive: true })
  if (!existsSync(join(work, 'node_modules'))) symlinkSync(modules, join(work, 'node_modules'), 'junction')
  return new Workbench(root, work)
}

class Workbench {
  #root
  #closing = []
  #folders = 0

  constructor(root, folder) {
    this.#root = root
    /** The copy. */
    this.folder = folder
  }

  /** A `PATH` with the `formwire` command. */
  get path() {
    const bin = join(this.#root, 'bin')
    if (!existsSync(bin)) {
      mkdirSync(bin)
      const script = `#!/bin/sh\nexec "${process.execPath}" "${formwire}" "$@"\n`
      writeFileSync(join(bin, 'formwire'), script, { mode: 0o755 })
    }
    return [bin, process.env.PATH].join(delimiter)
  }

  async close() {
    for (const close of this.#closing.reverse()) await close()
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Creates an empty folder for data. */
  createFolder() {
    this.#folders += 1
    const path = join(this.#root, `data-${this.#folders}`)
    mkdirSync(path)
    return path
  }

  // Programs of the folder

  /** Starts a program of the folder. `stop` ends it. */
  spawn([command, ...args], env = {}) {
    const child = spawn(command, args, {
      cwd: this.folder,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const program = { child, stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => {
        program[name] += text
      })
    program.ended = Promise.race([once(child, 'close'), once(child, 'error')]).then(
      ([code]) => code,
      (error) => unmet(`${command} cannot be started: ${error.message}`),
    )
    program.ended.catch(() => undefined)
    program.stop = async () => {
      child.kill('SIGKILL')
      await program.ended.catch(() => undefined)
    }
    this.#closing.push(program.stop)
    return program
  }

  /** Runs a program of the folder to its end. @throws Unmet if it does not end in time. */
  async run(command, env, timeoutMs = PATIENCE_MS) {
    const program = this.spawn(command, env)
    const waiting = new AbortController()
    const late = sleep(timeoutMs, 'late', { signal: waiting.signal }).catch(() => undefined)
    const code = await Promise.race([program.ended, late])
    waiting.abort()
    await program.stop()
    if (code === 'late') unmet(`${command.join(' ')} did not end within ${timeoutMs / 1000} s`)
    return { code, stdout: program.stdout, stderr: program.stderr }
  }

  /** Starts a program that listens on PORT, and keeps its data in a new folder unless `env` has one. @throws Unmet if it does not. */
  async listen(command, env = {}) {
    const { port, release } = await reservePort()
    this.#closing.push(release)
    const { DATA: data = this.createFolder() } = env
    const program = this.spawn(command, { ...env, PORT: String(port), DATA: data })
    let ended = false
    program.ended
      .catch(() => undefined)
      .then(() => {
        ended = true
      })
    for (const until = Date.now() + PATIENCE_MS; !(await accepts(port)); await sleep(20)) {
      if (ended) unmet(`${command.join(' ')} ended: ${errorIn(program.stderr)}`)
      if (Date.now() > until) unmet(`${command.join(' ')} does not listen on PORT`)
    }
    return { ...program, data, origin: `http://127.0.0.1:${port}` }
  }

  // Checks of the CLI

  async #formwire(args, env) {
    const { code, stdout, stderr } = await this.run([process.execPath, formwire, ...args], env, COMMAND_MS)
    if (code === UNREACHABLE && stdout === '') unmet('the program ended, or no longer accepts connections')
    // 0 and 1 are verdicts.
    if (code > 1 && stdout === '') throw new Error(`formwire ${args[0]} exited with ${code}: ${stderr}`)
    return { code, stdout }
  }

  /**
   * Runs `formwire receiver check`.
   *
   * @param handled Returns how many responses the receiver has handled. @default duplicates are not counted
   * @returns A function that requires checks by their names.
   */
  async checkReceiver(url, secret, handled) {
    const args = ['receiver', 'check', url, '--json']
    if (handled) args.push('--handled-url', await this.#serveCount(handled))
    const { stdout } = await this.#formwire(args, { FORMWIRE_WEBHOOK_SECRET: secret })
    const { checks } = JSON.parse(stdout)
    return (...names) => {
      const failed = checks.filter(({ name, passed }) => names.includes(name) && passed !== true)
      if (failed.length === 0) return
      const { name, expected, status, hint } = failed[0]
      const more =
        failed.length > 1
          ? `; also ${failed
              .slice(1)
              .map((other) => other.name)
              .join(', ')}`
          : ''
      unmet(`${name}: expected ${expected}, got ${status ?? 'no response'}${hint ? ` (${hint})` : ''}${more}`)
    }
  }

  /** Serves a count, and returns its URL. */
  async #serveCount(count) {
    const server = createServer((_request, response) => response.end(String(count())))
    await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
    this.#closing.push(() => server.close())
    return `http://127.0.0.1:${server.address().port}/`
  }

  /**
   * Sends a signed delivery with `formwire trigger`.
   *
   * @param event The whole event. @default a sample
   * @returns Whether it was accepted.
   */
  async trigger(url, secret, event) {
    const args = ['trigger', 'response.submitted', '--forward-to', url, '--json']
    if (event) {
      const file = join(this.createFolder(), 'event.json')
      writeFileSync(file, JSON.stringify(event))
      args.push('--data', file)
    }
    return (await this.#formwire(args, { FORMWIRE_WEBHOOK_SECRET: secret })).code === 0
  }

  /**
   * Runs `formwire rehearse` with a program of the folder, which keeps its data in `DATA`.
   *
   * @param options Options of the command, such as `{ webhook: '/webhooks', runs: 5 }`; `schedule` is a schedule itself.
   * @throws Unmet if a run breaks.
   */
  async rehearse(command, { schedule, env, ...options }) {
    const args = Object.entries(options).flatMap(([name, value]) =>
      value === true ? [`--${name}`] : [`--${name}`, String(value)],
    )
    if (schedule) {
      const file = join(this.createFolder(), 'schedule.json')
      writeFileSync(file, JSON.stringify({ version: 1, responses: [], steps: [], ...schedule }))
      args.push('--schedule', file)
    }
    const inFolder = ['sh', '-c', 'DATA="$FORMWIRE_REHEARSAL_DIR" exec "$@"', 'sh', ...command]
    const { stdout } = await this.#formwire(['rehearse', '--json', ...args, '--', ...inFolder], env)
    const { failure } = JSON.parse(stdout)
    if (failure === null) return
    const { verdict, response_ids: ids, likely, steps } = failure
    const which = ids.length > 0 ? ` (response ${ids.slice(0, 3).join(', ')})` : ''
    unmet(`${verdict.replaceAll('_', ' ')}${which}: ${likely}; the story ends with: ${steps.at(-1)?.text}`)
  }

  // The service

  /**
   * Starts a reference server.
   *
   * @param forms In the format of a seed. @default one published form, `FORM`
   */
  async service(forms = [{ id: FORM, title: 'Survey' }]) {
    const seed = join(this.createFolder(), 'seed.json')
    const user = 'owner@example.com'
    const keys = [{ name: 'Integration', scope: 'write', user, key: KEY }]
    const workspace = { name: 'Team', members: [{ user, role: 'owner' }], keys, forms }
    const users = [{ name: 'Owner', email: user }]
    writeFileSync(seed, JSON.stringify({ version: 2, users, workspaces: [workspace] }))
    const command = [process.execPath, formwire, 'serve', '--json', '--port', '0', '--seed', seed]
    const program = this.spawn([...command, '--rate-limits', 'off'])
    while (!program.stdout.includes('\n')) {
      if (program.child.exitCode !== null) throw new Error(`formwire serve ended: ${program.stderr}`)
      await sleep(20)
    }
    const { url, admin_token: token } = JSON.parse(program.stdout.split('\n')[0])
    return new Service(url, token)
  }
}

/** A reference server, through its control API. */
class Service {
  constructor(url, token) {
    this.url = url
    this.token = token
    /** For programs that read and write. */
    this.env = { FORMWIRE_BASE_URL: url, FORMWIRE_API_KEY: KEY }
  }

  /** Calls a route of the control API and returns its data. */
  async call(method, path, body) {
    const response = await fetch(`${this.url}/_app${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const { data, error } = await response.json()
    if (error) throw new Error(`${method} ${path}: ${error.code}: ${error.message}`)
    return data
  }

  /** Submits a response, for which webhooks are sent. */
  submit(form = FORM, response = {}) {
    return this.call('POST', `/forms/${form}/responses`, { answers: [], deliver: true, ...response })
  }

  /** Returns all responses of a form that exist, of one status. */
  async responses(form = FORM, status = 'submitted') {
    const rows = []
    for (let page = 1; rows.length === (page - 1) * PER_PAGE; page += 1) {
      const query = `per_page=${PER_PAGE}&page=${page}&status=${status}`
      rows.push(...(await this.call('GET', `/forms/${form}/responses?${query}`)))
    }
    return rows
  }

  /** Returns the requests that the API received, oldest first. */
  async requests() {
    return (await this.call('GET', '/requests')).reverse()
  }
}

/** The same in every grading: the server is on loopback, and ends with it. */
const KEY = 'svc_agentTasks00000000000000000000000000'

/** Waits until `holds` returns something truthy, and returns that. @throws Unmet with `reason()` if that takes too long. */
export async function eventually(reason, holds, timeoutMs = PATIENCE_MS) {
  for (const until = Date.now() + timeoutMs; ; await sleep(25)) {
    const value = await holds()
    if (value) return value
    if (Date.now() > until) unmet(reason())
  }
}

/** Returns the lines of a file in `folder`, none if it does not exist. */
export function linesOf(folder, name) {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
}

/** Requires that two lists have the same members, each as often. */
export function sameMembers(what, actual, expected) {
  const left = new Map()
  for (const one of expected) left.set(String(one), (left.get(String(one)) ?? 0) + 1)
  for (const one of actual) left.set(String(one), (left.get(String(one)) ?? 0) - 1)
  const named = (test) => [...left].filter(([, count]) => test(count)).map(([name]) => name)
  const missing = named((count) => count > 0)
  const extra = named((count) => count < 0)
  const list = (names) => `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}`
  if (missing.length > 0) unmet(`${what}: ${missing.length} missing (${list(missing)})`)
  if (extra.length > 0) unmet(`${what}: ${extra.length} too many or twice (${list(extra)})`)
}

/**
 * Reserves a port that only a program which asks for it by number can listen on: it is the local port of a connection, which stays open
 * until `release`. One that was merely free a moment ago could be given to another program. The packages have it as well, but do not export it.
 */
async function reservePort() {
  const server = createTcpServer().listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const { port } = server.address()
  const accepted = once(server, 'connection')
  // With an address of its own, Node binds it before it connects, so that its port can be bound again.
  const held = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.1', localPort: 0 }).unref()
  await once(held, 'connect')
  const [other] = await accepted
  other.unref()
  server.close()
  const release = () => {
    held.destroy()
    other.destroy()
  }
  return { port: held.localPort, release }
}

async function accepts(port) {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Returns the last line that names an error; otherwise the last line. */
function errorIn(text) {
  const lines = text.trim().split('\n')
  return lines.findLast((line) => /^\w*(Error|Exception)\b/.test(line)) ?? lines.at(-1)
}
