/** What criteria work with: a copy of the folder that is graded, its programs, reference servers, and the checks of the CLI. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('node_modules', import.meta.url))
/** The `formwire` command; tests name one that they have built. */
const formwire = process.env.FORMWIRE_CLI ?? join(modules, '@formwire/cli/dist/bin.js')

/** Milliseconds in which a program must accept connections, or end, on a busy machine too. */
const PATIENCE_MS = 60_000
/** Milliseconds of a command of the CLI, which may rehearse several runs. */
const COMMAND_MS = 300_000
/** Exit code of the CLI. */
const UNREACHABLE = 6
/** The same in every grading: the server is on loopback, and ends with it. */
const KEY = 'svc_agentTasks00000000000000000000000000'

/** A criterion is not met; the message is the reason. */
export class Unmet extends Error {}

/** @returns {never} */
export const unmet = (reason) => {
  throw new Unmet(reason)
}

/** Opens a folder to be graded: a copy, in which the files that the task gave are there even if the folder lacks them. */
export async function openWorkbench(given, folder) {
  if (!fs.existsSync(formwire))
    throw new Error('The packages are not built. Run "npx -y pnpm@12 build" in the repository.')
  const root = fs.mkdtempSync(join(tmpdir(), 'formwire-task-'))
  const work = join(root, 'work')
  for (const source of [given, folder]) fs.cpSync(source, work, { recursive: true })
  if (!fs.existsSync(join(work, 'node_modules')))
    fs.symlinkSync(modules, join(work, 'node_modules'), 'junction')
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
    const bin = this.createFolder()
    const script = `#!/bin/sh\nexec "${process.execPath}" "${formwire}" "$@"\n`
    fs.writeFileSync(join(bin, 'formwire'), script, { mode: 0o755 })
    return [bin, process.env.PATH].join(delimiter)
  }

  async close() {
    for (const close of this.#closing.reverse()) await close()
    fs.rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Creates an empty folder for data. */
  createFolder() {
    this.#folders += 1
    const path = join(this.#root, `data-${this.#folders}`)
    fs.mkdirSync(path)
    return path
  }

  /** Starts a program of the folder. `stop` ends it. */
  spawn([command, ...args], env = {}) {
    const stdio = ['ignore', 'pipe', 'pipe']
    const child = spawn(command, args, { cwd: this.folder, env: { ...process.env, ...env }, stdio })
    const program = { child, stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => {
        program[name] += text
      })
    program.ended = once(child, 'close').then(
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
    const code = await Promise.race([program.ended, sleep(timeoutMs, 'late', { ref: false })])
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
    for (const until = Date.now() + PATIENCE_MS; !(await accepts(port)); await sleep(20)) {
      if (program.child.exitCode !== null) unmet(`${command.join(' ')} ended: ${errorIn(program.stderr)}`)
      if (Date.now() > until) unmet(`${command.join(' ')} does not listen on PORT`)
    }
    return { ...program, data, origin: `http://127.0.0.1:${port}` }
  }

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
   * @param handled Returns how many responses the receiver has handled.
   * @returns A function that requires checks by their names.
   */
  async checkReceiver(url, secret, handled) {
    const counter = createServer((_request, response) => response.end(String(handled())))
    await once(counter.listen(0, '127.0.0.1'), 'listening')
    this.#closing.push(() => counter.close())
    const count = `http://127.0.0.1:${counter.address().port}/`
    const args = ['receiver', 'check', url, '--json', '--handled-url', count]
    const { checks } = JSON.parse((await this.#formwire(args, { FORMWIRE_WEBHOOK_SECRET: secret })).stdout)
    return (...names) => {
      const failed = checks.find(({ name, passed }) => names.includes(name) && passed !== true)
      if (!failed) return
      const { name, expected, status, hint } = failed
      unmet(`${name}: expected ${expected}, got ${status ?? 'no response'}${hint ? ` (${hint})` : ''}`)
    }
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
      fs.writeFileSync(file, JSON.stringify(event))
      args.push('--data', file)
    }
    return (await this.#formwire(args, { FORMWIRE_WEBHOOK_SECRET: secret })).code === 0
  }

  /**
   * Runs `formwire rehearse` with a program of the folder, which keeps its data in `DATA`.
   *
   * @param options Options of the command, such as `{ webhook: '/webhooks', runs: 5 }`.
   * @throws Unmet if a run breaks.
   */
  async rehearse(command, options) {
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
    const inFolder = ['sh', '-c', 'DATA="$FORMWIRE_REHEARSAL_DIR" exec "$@"', 'sh', ...command]
    const { stdout } = await this.#formwire(['rehearse', '--json', ...args, '--', ...inFolder])
    const { failure } = JSON.parse(stdout)
    if (failure === null) return
    const { verdict, likely, steps } = failure
    unmet(`${verdict.replaceAll('_', ' ')}: ${likely}; the last step: ${steps.at(-1)?.text}`)
  }

  /** Starts a reference server with forms, in the format of a seed. */
  async service(forms) {
    const seed = join(this.createFolder(), 'seed.json')
    const user = 'owner@example.com'
    const keys = [{ name: 'Integration', scope: 'write', user, key: KEY }]
    const workspace = { name: 'Team', members: [{ user, role: 'owner' }], keys, forms }
    const users = [{ name: 'Owner', email: user }]
    fs.writeFileSync(seed, JSON.stringify({ version: 2, users, workspaces: [workspace] }))
    const command = [process.execPath, formwire, 'serve', '--json', '--port', '0', '--seed', seed]
    const program = this.spawn([...command, '--rate-limits', 'off'])
    while (!program.stdout.includes('\n')) {
      if (program.child.exitCode !== null) throw new Error(`formwire serve ended: ${program.stderr}`)
      await sleep(20)
    }
    const { url, admin_token: token } = JSON.parse(program.stdout.split('\n')[0])
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    /** Calls a route of the control API and returns its data. */
    const call = async (method, path, body) => {
      const response = await fetch(`${url}/_app${path}`, { method, headers, body: JSON.stringify(body) })
      const { data, error } = await response.json()
      if (error) throw new Error(`${method} ${path}: ${error.code}: ${error.message}`)
      return data
    }
    return { token, env: { FORMWIRE_BASE_URL: url, FORMWIRE_API_KEY: KEY }, call }
  }
}

/** Waits until `holds` returns something truthy. @throws Unmet with `reason()` if that takes too long. */
export async function eventually(reason, holds, timeoutMs = PATIENCE_MS) {
  for (const until = Date.now() + timeoutMs; !(await holds()); await sleep(25))
    if (Date.now() > until) unmet(reason())
}

/** Returns the lines of a file in `folder`, none if it does not exist. */
export function linesOf(folder, name) {
  const path = join(folder, name)
  return fs.existsSync(path) ? fs.readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
}

/** Reserves a port for a program that asks for it by number: the local port of a connection, which stays open until `release`. */
async function reservePort() {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  // With an address of its own, Node binds it before it connects, so that its port can be bound again.
  const held = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.1', localPort: 0 })
  const [[other]] = await Promise.all([once(server, 'connection'), once(held, 'connect')])
  server.close()
  const release = () => {
    held.destroy()
    other.destroy()
  }
  return { port: held.localPort, release }
}

async function accepts(port) {
  const socket = connect(port, '127.0.0.1')
  return await once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}

/** Returns the last line that names an error; otherwise the last line. */
function errorIn(text) {
  const lines = text.trim().split('\n')
  return lines.findLast((line) => /^\w*(Error|Exception)\b/.test(line)) ?? lines.at(-1)
}
