import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** How a terminal of a tutorial runs commands. */
interface TerminalOptions {
  /** Folder with `home`, where it starts, and `steps`, for what the commands print. */
  work: string
  variables: Readonly<Record<string, string>>
  /** When to stop waiting, on the clock of `performance`. */
  deadline: number
}

/** A shell that types commands, so that variables and folders stay. A command that fails ends the `first`. */
export class Terminal {
  readonly #name: string
  readonly #options: TerminalOptions
  readonly #shell: ChildProcess
  #output = ''
  #count = 0

  constructor(name: string, options: TerminalOptions) {
    const inherited = Object.entries(process.env).filter(
      ([variable]) => !/^(?:FORMWIRE_|NODE_OPTIONS|npm_)/i.test(variable),
    )
    const home = join(options.work, 'home')
    const environment = { ...Object.fromEntries(inherited), HOME: home, NO_COLOR: '1', ...options.variables }
    this.#name = name
    this.#options = options
    // In a session of its own, which the jobs of a page with "set -m" share, too.
    this.#shell = spawn('bash', {
      cwd: home,
      detached: true,
      env: environment as unknown as NodeJS.ProcessEnv,
    })
    // It has ended, which the next step reports.
    this.#shell.stdin?.on('error', () => {})
    for (const stream of [this.#shell.stdout, this.#shell.stderr])
      stream?.on('data', (chunk) => {
        this.#output += chunk
      })
    // Ctrl-C stops the program, not the shell.
    this.type(name === 'first' ? 'set -e\n' : 'trap : INT\n')
  }

  /** The session of the shell and of all that it starts. */
  get session(): number {
    return this.#shell.pid as number
  }

  /** Has the shell read commands, one after the other. */
  type(commands: string): void {
    this.#shell.stdin?.write(commands)
  }

  /** Starts commands, after it has stopped those before. */
  async start(commands: string): Promise<void> {
    if (this.#count > 0) await this.interrupt()
    this.#count += 1
    this.type(`{\n${commands}} < /dev/null > '${this.#file}' 2>&1\n: > '${this.#file}.done'\n`)
  }

  /**
   * Waits until the commands have ended; in another terminal than the first, until they have printed a text, and may go on.
   * @throws Error if they fail, or have not printed it
   */
  async until(expected: RegExp): Promise<void> {
    const isOther = this.#name !== 'first'
    const hasPrinted = () => expected.test(this.printed())
    await this.#wait(() => this.#isDone || (isOther && hasPrinted()))
    if ((this.#isDone || isOther) && hasPrinted()) return
    throw new Error(
      `the ${this.#name} terminal has printed\n${this.printed()}${this.#output}, but not ${expected}`,
    )
  }

  /** Stops the commands as Ctrl-C does. */
  async interrupt(): Promise<void> {
    if (!this.#isDone) process.kill(-this.session, 'SIGINT')
    await this.#wait(() => this.#isDone)
  }

  /** Ends the shell. */
  async close(): Promise<void> {
    this.#shell.stdin?.end()
    if (!this.#hasEnded && !this.#isDone) this.#shell.kill('SIGKILL')
    if (!this.#hasEnded) await once(this.#shell, 'exit')
  }

  /** Returns what the last commands have printed. */
  printed(): string {
    return existsSync(this.#file) ? readFileSync(this.#file, 'utf8').replaceAll('\r', '') : ''
  }

  get #file(): string {
    return join(this.#options.work, 'steps', `${this.#name}-${this.#count}.out`)
  }

  get #isDone(): boolean {
    return this.#count === 0 || existsSync(`${this.#file}.done`)
  }

  get #hasEnded(): boolean {
    return this.#shell.exitCode !== null || this.#shell.signalCode !== null
  }

  async #wait(isSo: () => boolean): Promise<void> {
    while (!isSo() && !this.#hasEnded) {
      if (performance.now() > this.#options.deadline)
        throw new Error(`the ${this.#name} terminal takes too long; it has printed\n${this.printed()}`)
      await sleep(50)
    }
  }
}
