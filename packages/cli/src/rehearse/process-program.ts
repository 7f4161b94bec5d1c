import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RehearsalEnvironment, RehearsalProgram } from '@formwire/reference-server/testing'
import type { Context } from '../context.ts'
import { writeQuietly } from '../output/output.ts'
import { safeLine } from '../output/text-safety.ts'
import { endGroup, signalGroup } from '../process-group.ts'

/** Milliseconds in which the last output of a program that has ended arrives. */
const OUTPUT_MS = 200
/** Characters of the output of a program that are kept, to show why it ended. */
export const OUTPUT_MAX = 2_000
/** Longest reason that is shown, in characters. */
const REASON_MAX = 300

type Child = ChildProcessByStdio<null, Readable, Readable>

/** Starts programs, each as a process group of its own, which does not outlive this command. */
export class ProcessPrograms {
  readonly #context: Context
  readonly #argv: readonly string[]
  readonly #running = new Set<Child>()
  /** Folder of the run. */
  #directory: string | undefined

  constructor(context: Context, argv: readonly string[]) {
    this.#context = context
    this.#argv = argv
    const killAll = (): void => {
      for (const child of this.#running) signalGroup(child, 'SIGKILL')
    }
    context.onExit(killAll, () => {
      killAll()
      // The rehearsal does so itself unless the process exits at once. What was killed may still be writing.
      if (this.#directory !== undefined)
        rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 })
    })
  }

  readonly start = (environment: RehearsalEnvironment): RehearsalProgram => {
    const child = this.spawn(environment, this.#argv)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-OUTPUT_MAX)
        if (this.#context.global.verbose) writeQuietly(this.#context.runtime.stderr, text)
      })
    }
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => resolve(`cannot be started: ${error.code}`))
      child.once('exit', async (code: number | null, signal: NodeJS.Signals | null) => {
        // A process that it has left behind may hold its output open.
        await Promise.race([once(child, 'close'), sleep(OUTPUT_MS, undefined, { ref: false })])
        resolve(`${signal ?? `exit code ${code}`}${reasonIn(output)}`)
      })
    })
    // With the processes that it has left behind.
    const kill = async (): Promise<void> => {
      signalGroup(child, 'SIGKILL')
      await ended
    }
    const stop = async (): Promise<void> => {
      await endGroup(child, ended, this.#context.runtime.clock)
      await kill()
    }
    return { ended, kill, stop }
  }

  /** Starts a command in the environment of the run. @param cwd @default the working directory of this process */
  spawn(environment: RehearsalEnvironment, [command = '', ...args]: readonly string[], cwd?: string): Child {
    this.#directory = environment.directory
    const child = spawn(command, args, {
      env: environmentOf(this.#context, environment),
      ...(cwd !== undefined && { cwd }),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    this.#running.add(child)
    child.once('close', () => this.#running.delete(child))
    return child
  }
}

/** Returns the last line that names an error, otherwise the last line, after a colon; '' without output. */
export function reasonIn(output: string): string {
  const lines = output.trim().split('\n')
  const line = lines.findLast((line) => /^\w*(Error|Exception)\b/.test(line)) ?? lines.at(-1) ?? ''
  const reason = safeLine(line).slice(0, REASON_MAX)
  return reason === '' ? '' : `: ${reason}`
}

/** Of the program and of the command that is asked what was handled. */
function environmentOf(context: Context, given: RehearsalEnvironment): NodeJS.ProcessEnv {
  // Keys of a real service, which the program must not use.
  const { FORMWIRE_ADMIN_TOKEN: _adminToken, FORMWIRE_READ_KEY: _readKey, ...env } = context.runtime.env
  return {
    ...env,
    FORMWIRE_BASE_URL: given.baseUrl,
    FORMWIRE_API_KEY: given.apiKey,
    FORMWIRE_FORM_ID: given.formId,
    FORMWIRE_WEBHOOK_SECRET: given.webhookSecret,
    FORMWIRE_REHEARSAL_DIR: given.directory,
    PORT: String(given.port),
  } as unknown as NodeJS.ProcessEnv
}
