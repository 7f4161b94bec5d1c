/** Runs a tutorial as a reader would: saves its files, runs its commands in one or more terminals, and returns what they print. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import { patternOf, runsOf, type Step } from './steps.ts'
import { Terminal } from './terminal.ts'

/** Milliseconds until a tutorial is stopped, which waits for something that does not come: far more than any takes. */
export const TUTORIAL_MS = 1_800_000

/** Milliseconds in which what a tutorial has stopped must have ended, on a busy machine too. */
const END_MS = 60_000

/** Ports that pages name, which something else may use: each run has others. */
const PORTS: readonly RegExp[] = [/\b[34]000\b/g, /\b8787\b/g, /\b8788\b/g]

/** What readers copy from what a server in another terminal has printed: that at the URL of the same commands, else the last. */
const COPIED: Readonly<Record<string, RegExp>> = {
  'svc_…': /write key +(\S+)/,
  '<admin token>': /admin token +(\S+)/,
}

/** What a step of a tutorial printed. */
export interface Printed {
  commands: string
  /** What it must match; commands without a text after them may print anything. */
  expected: RegExp
  printed: string
}

/**
 * Runs the steps in a temporary folder. Programs in other terminals than the first are stopped before the next one starts there, and
 * at the end, with SIGINT, as by Ctrl-C.
 * @param environmentOf returns more variables for the commands. Its argument is a folder for files that they need.
 * @throws Error if a command fails, or if a program still runs at the end
 */
export async function runTutorial(
  steps: readonly Step[],
  environmentOf: (folder: string) => Record<string, string>,
): Promise<Printed[]> {
  const work = mkdtempSync(join(tmpdir(), 'formwire-tutorial-'))
  const terminals = new Map<string, Terminal>()
  const printed: Printed[] = []
  let failure: Error | undefined
  try {
    for (const name of ['home', 'steps', 'own']) mkdirSync(join(work, name))
    const variables = environmentOf(join(work, 'own'))
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
      const known = terminals.get(name)
      if (known) return known
      const started = new Terminal(name, { work, variables, deadline })
      terminals.set(name, started)
      return started
    }
    for (const step of runsOf(steps)) {
      if (step.kind === 'file') {
        terminalOf('first').type(saving(step.name, withPorts(step.code)))
        continue
      }
      const { terminal = 'first', prints } = step
      const expected = prints === null ? /^/ : patternOf(withPorts(prints))
      const shell = terminalOf(terminal)
      if (step.kind === 'commands') await shell.start(withCopies(withPorts(step.code)))
      await shell.until(terminal === 'first' ? undefined : expected)
      const commands = step.kind === 'commands' ? step.code : `(the ${terminal} terminal)`
      printed.push({ commands, expected, printed: shell.printed() })
    }
    for (const [name, shell] of terminals) if (name !== 'first') await shell.interrupt()
  } catch (error) {
    const all = printed.map(({ commands, printed: text }) => `${commands}\n${text}`)
    failure = new Error(`a tutorial stopped: ${(error as Error).message}\n${all.join('\n')}`, {
      cause: error,
    })
  }
  for (const shell of terminals.values()) await shell.close()
  const groups = [...terminals.values()].flatMap((shell) => shell.groups())
  const left = await endGroups(new Set(groups), failure ? 0 : END_MS)
  // A program that was just killed may still write.
  rmSync(work, { recursive: true, force: true, maxRetries: 10 })
  if (failure) throw failure
  if (left.length > 0) throw new Error('the tutorial leaves a program running')
  return printed
}

/** Files are written where the commands before have gone to. */
function saving(name: string, code: string): string {
  const folder = name.includes('/') ? `mkdir -p '${dirname(name)}'\n` : ''
  return `${folder}cat > '${name}' <<'END_OF_FILE'\n${code}END_OF_FILE\n`
}

/** Waits until the process groups have ended, and kills those that have not. Returns these. */
async function endGroups(groups: ReadonlySet<number>, withinMs: number): Promise<number[]> {
  const deadline = performance.now() + withinMs
  let running = runningOf(groups)
  while (running.length > 0 && performance.now() < deadline) {
    await sleep(100)
    running = runningOf(groups)
  }
  for (const group of running) process.kill(-group, 'SIGKILL')
  return running
}

/** Returns the groups with a process that runs: a zombie has ended, and waits for a parent that may not ask. */
function runningOf(groups: ReadonlySet<number>): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pgid=,stat='], { encoding: 'utf8' })
  const running = new Set([...processes.matchAll(/(\d+) +[^Z\s]/g)].map(([, group]) => Number(group)))
  return [...groups].filter((group) => running.has(group))
}
