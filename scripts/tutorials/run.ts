/** Runs a tutorial as a reader would: saves its files, runs its commands in one shell, and returns what they print. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import { patternOf, runsOf, type Step } from './steps.ts'

/** Milliseconds until a tutorial is stopped, which waits for something that does not come: far more than any takes. */
export const TUTORIAL_MS = 540_000

/** Milliseconds in which what a tutorial has stopped must have ended, on a busy machine too. */
const END_MS = 60_000

/** Ports that pages name, which something else may use: each run has another one. */
const PORT = /\b[34]000\b/g

/** What a step of a tutorial printed. */
export interface Printed {
  commands: string
  /** What it must match; commands without a text after them may print anything. */
  expected: RegExp
  printed: string
}

/**
 * Runs the steps in a temporary folder.
 * @param environmentOf returns more variables for the commands. Its argument is a folder for files that they need.
 * @param endMs milliseconds that programs may take to end after the last command
 * @throws Error if a command fails, or if a program still runs at the end
 */
export async function runTutorial(
  steps: readonly Step[],
  environmentOf: (folder: string) => Record<string, string>,
  endMs: number = END_MS,
): Promise<Printed[]> {
  const work = mkdtempSync(join(tmpdir(), 'formwire-tutorial-'))
  try {
    const port = String(await freePort())
    for (const name of ['home', 'steps', 'own']) mkdirSync(join(work, name))
    const script = join(work, 'tutorial.sh')
    const jobs = join(work, 'jobs')
    writeFileSync(script, scriptOf(steps, join(work, 'steps'), jobs).replace(PORT, port))
    const variables = environmentOf(join(work, 'own'))
    const { code, output, pid } = await runScript(script, join(work, 'home'), variables)
    const groups = new Set([pid, ...readFileSync(jobs, 'utf8').split('\n').filter(Boolean).map(Number)])
    const left = await endGroups(groups, code === 0 ? endMs : 0)
    const printed = readdirSync(join(work, 'steps'))
      .sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
      .map((name) => readFileSync(join(work, 'steps', name), 'utf8'))
    if (code !== 0) {
      throw new Error(`a command of the tutorial failed with ${code}:\n${output}\n${printed.join('\n')}`)
    }
    if (left.length > 0) throw new Error('the tutorial leaves a program running')
    return runsOf(steps).map(({ code: commands, prints }, index) => ({
      commands,
      expected: prints === null ? /^/ : patternOf(prints.replace(PORT, port)),
      printed: (printed[index] ?? '').replaceAll('\r', ''),
    }))
  } finally {
    // A program that was just killed may still write.
    rmSync(work, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** One shell for all commands, so that variables and folders stay. Files are written where the commands before have gone to. */
function scriptOf(steps: readonly Step[], outputs: string, jobs: string): string {
  const noteJobs = `jobs -p >> '${jobs}'`
  const lines = ['set -e', `trap "${noteJobs}" EXIT`]
  let count = 0
  for (const step of steps) {
    if (step.kind === 'file') {
      if (step.name.includes('/')) lines.push(`mkdir -p '${dirname(step.name)}'`)
      lines.push(`cat > '${step.name}' <<'END_OF_FILE'\n${step.code}END_OF_FILE`)
      continue
    }
    for (const { code } of runsOf([...steps.filter(({ kind }) => kind === 'file'), step])) {
      lines.push(`{\n${code}} > '${join(outputs, `${count}.out`)}' 2>&1`, noteJobs)
      count += 1
    }
  }
  return `${lines.join('\n')}\n`
}

async function runScript(
  script: string,
  home: string,
  variables: Record<string, string>,
): Promise<{ code: number | null; output: string; pid: number }> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:FORMWIRE_|NODE_OPTIONS|npm_)/i.test(name),
  )
  const child = spawn('bash', [script], {
    cwd: home,
    // In a process group of its own, as the jobs of a page with "set -m" are.
    detached: true,
    env: {
      ...Object.fromEntries(inherited),
      HOME: home,
      NO_COLOR: '1',
      ...variables,
    } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const timer = setTimeout(() => child.kill(), TUTORIAL_MS)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  return { code, output, pid: child.pid as number }
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
