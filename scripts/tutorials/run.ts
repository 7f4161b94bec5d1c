/** Goes through a tutorial as a reader would: saves its files, runs its commands in one or more terminals, and compares what they print. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import { patternOf, runsOf, type Step } from './steps.ts'
import { Terminal } from './terminal.ts'

/** Milliseconds until a tutorial is stopped, which waits for something that does not come: far more than any takes. */
const TUTORIAL_MS = 1_800_000

/** Milliseconds in which what a tutorial has stopped must have ended, on a busy machine too. */
const END_MS = 60_000

/** Ports that pages name, which something else may use: each run has others. */
const PORTS: readonly RegExp[] = [/\b[34]000\b/g, /\b8787\b/g, /\b8788\b/g]

/** What readers copy from what a server in another terminal has printed: that at the URL of the same commands, else the last. */
const COPIED: Readonly<Record<string, RegExp>> = {
  'svc_…': /write key +(\S+)/,
  '<admin token>': /admin token +(\S+)/,
}

/**
 * Runs the steps in a temporary folder. Programs in other terminals than the first are stopped before the next one starts there, and
 * at the end, with SIGINT, as by Ctrl-C.
 * @param variables More variables for the commands.
 * @throws Error if a command fails, or prints something else than the page shows, or if a program still runs at the end
 */
export async function runTutorial(
  steps: readonly Step[],
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'formwire-tutorial-'))
  const terminals = new Map<string, Terminal>()
  const printed: string[] = []
  let failure: Error | undefined
  try {
    for (const name of ['home', 'steps']) mkdirSync(join(work, name))
    const ports = await Promise.all(PORTS.map(freePort))
    const deadline = performance.now() + TUTORIAL_MS
    const withPorts = (text: string): string =>
      PORTS.reduce((changed, port, index) => changed.replace(port, String(ports[index])), text)
    const withCopies = (code: string): string =>
      Object.entries(COPIED).reduce((text, [placeholder, pattern]) => {
        if (!text.includes(placeholder)) return text
        const url = /FORMWIRE_BASE_URL=(\S+)/.exec(code)?.[1] ?? ''
        const copied = [...terminals.values()]
          .map((one) => one.printed())
          .filter((shown) => shown.includes(`server on ${url}`))
          .flatMap((shown) => pattern.exec(shown)?.[1] ?? [])
          .at(-1)
        if (copied === undefined) throw new Error(`no terminal has printed what "${placeholder}" stands for`)
        return text.replaceAll(placeholder, copied)
      }, code)
    const terminalOf = (name: string): Terminal => {
      const terminal = terminals.get(name) ?? new Terminal(name, { work, variables, deadline })
      terminals.set(name, terminal)
      return terminal
    }
    for (const step of runsOf(steps)) {
      if (step.kind === 'file') {
        terminalOf('first').type(saving(step.name, withPorts(step.code)))
        continue
      }
      const { terminal = 'first', prints } = step
      const shell = terminalOf(terminal)
      if (step.kind === 'commands') await shell.start(withCopies(withPorts(step.code)))
      // Commands without a text after them may print anything.
      await shell.until(prints === null ? /^/ : patternOf(withPorts(prints)))
      const commands = step.kind === 'commands' ? step.code : `(the ${terminal} terminal)`
      printed.push(`${commands}\n${shell.printed()}`)
    }
    for (const [name, shell] of terminals) if (name !== 'first') await shell.interrupt()
  } catch (error) {
    failure = new Error(`a tutorial stopped: ${(error as Error).message}\n${printed.join('\n')}`, {
      cause: error,
    })
  }
  for (const shell of terminals.values()) await shell.close()
  const sessions = new Set([...terminals.values()].map(({ session }) => session))
  const left = await endSessions(sessions, failure ? 0 : END_MS)
  // A program that was just killed may still write.
  rmSync(work, { recursive: true, force: true, maxRetries: 10 })
  if (failure) throw failure
  if (left.length > 0) throw new Error('the tutorial leaves a program running')
}

/** Files are written where the commands before have gone to. */
function saving(name: string, code: string): string {
  const folder = name.includes('/') ? `mkdir -p '${dirname(name)}'\n` : ''
  return `${folder}cat > '${name}' <<'END_OF_FILE'\n${code}END_OF_FILE\n`
}

/** Waits until all processes of the sessions have ended, and kills those that have not. Returns the process groups of these. */
async function endSessions(sessions: ReadonlySet<number>, withinMs: number): Promise<number[]> {
  const deadline = performance.now() + withinMs
  let running = groupsOf(sessions)
  while (running.length > 0 && performance.now() < deadline) {
    await sleep(100)
    running = groupsOf(sessions)
  }
  for (const group of running) process.kill(-group, 'SIGKILL')
  return running
}

/** Returns the process groups with a process that runs: a zombie has ended, and waits for a parent that may not ask. */
function groupsOf(sessions: ReadonlySet<number>): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'sess=,pgid=,stat='], { encoding: 'utf8' })
  const running = [...processes.matchAll(/(\d+) +(\d+) +[^Z\s]/g)].filter(([, session]) =>
    sessions.has(Number(session)),
  )
  return [...new Set(running.map(([, , group]) => Number(group)))]
}
