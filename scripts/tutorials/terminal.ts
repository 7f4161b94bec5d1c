import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** How a terminal of a tutorial runs commands. */
export interface TerminalOptions {
  /** Where it starts. */
  home: string
  /** Folder for what the commands print. */
  outputs: string
  /** File for the process groups of programs in the background. */
  jobs: string
  variables: Readonly<Record<string, string>>
  /** When to stop waiting, on the clock of `performance`. */
  deadline: number
  /** Whether a command that fails ends it. */
  endsOnFailure: boolean
}

/** A shell that types commands, so that variables and folders stay. */
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
    const environment = {
      ...Object.fromEntries(inherited),
      HOME: options.home,
      NO_COLOR: '1',
      ...options.variables,
    }
    this.#name = name
    this.#options = options
    // In a process group of its own, as the jobs of a page with "set -m" are.
    this.#shell = spawn('bash', {
      cwd: options.home,
      detached: true,
      env: environment as unknown as NodeJS.ProcessEnv,
    })
    // It has ended, which the next step reports.
    this.#shell.stdin?.on('error', () => {})
    for (const stream of [this.#shell.stdout, this.#shell.stderr])
      stream?.on('data', (chunk) => {
        this.#output += chunk
      })
    const jobs = `jobs -p >> '${options.jobs}'`
    // Ctrl-C stops the program, not the shell.
    this.type(options.endsOnFailure ? `set -e\ntrap "${jobs}" EXIT\n` : 'trap : INT\n')
  }

  /** Has the shell read commands, one after the other. */
  type(commands: string): void {
    this.#shell.stdin?.write(commands)
  }

  /** Starts commands, after it has stopped those before. */
  async start(commands: string): Promise<void> {
    if (this.#count > 0) await this.interrupt()
    this.#count += 1
    this.type(
      `{\n${commands}} < /dev/null > '${this.#file}' 2>&1\njobs -p >> '${this.#options.jobs}'\n: > '${this.#file}.done'\n`,
    )
  }

  /** Waits until the commands have ended. @throws Error if one fails */
  async untilDone(): Promise<void> {
    await this.#wait(() => this.#isDone)
    if (!this.#isDone)
      throw new Error(`a command failed with ${this.#shell.exitCode}:\n${this.printed()}${this.#output}`)
  }

  /** Waits until the commands have printed a text, and go on. @throws Error if they end before */
  async until(expected: RegExp): Promise<void> {
    await this.#wait(() => expected.test(this.printed()) || this.#isDone)
    if (!expected.test(this.printed()))
      throw new Error(
        `the ${this.#name} terminal prints\n${this.printed()}\nwhich does not match ${expected}`,
      )
  }

  /** Stops the commands as Ctrl-C does. */
  async interrupt(): Promise<void> {
    if (!this.#isDone) process.kill(-(this.#shell.pid as number), 'SIGINT')
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

  /** Returns the process groups of the shell and of what it has started. */
  groups(): number[] {
    const { jobs } = this.#options
    const started = existsSync(jobs) ? readFileSync(jobs, 'utf8').split('\n').filter(Boolean).map(Number) : []
    return [this.#shell.pid as number, ...started]
  }

  get #file(): string {
    return join(this.#options.outputs, `${this.#name}-${this.#count}.out`)
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
