/** Runs a tutorial as a reader would: saves its files, runs its commands in one shell, and returns what they print. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { patternOf, runsOf, type Step } from './steps.ts'

/** Milliseconds until a tutorial is stopped, which waits for something that does not come: far more than any takes. */
export const TUTORIAL_MS = 540_000

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
 * @throws Error if a command fails
 */
export async function runTutorial(
  steps: readonly Step[],
  environmentOf: (folder: string) => Record<string, string>,
): Promise<Printed[]> {
  const work = mkdtempSync(join(tmpdir(), 'formwire-tutorial-'))
  try {
    const port = String(await freePort())
    for (const name of ['home', 'steps', 'own']) mkdirSync(join(work, name))
    const script = join(work, 'tutorial.sh')
    writeFileSync(script, scriptOf(steps, join(work, 'steps')).replace(PORT, port))
    const { code, output } = await runScript(script, join(work, 'home'), environmentOf(join(work, 'own')))
    const printed = readdirSync(join(work, 'steps'))
      .sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
      .map((name) => readFileSync(join(work, 'steps', name), 'utf8'))
    if (code !== 0) {
      throw new Error(`a command of the tutorial failed with ${code}:\n${output}\n${printed.join('\n')}`)
    }
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
function scriptOf(steps: readonly Step[], outputs: string): string {
  // A job is a process group, so that what npx starts ends with it.
  const lines = [
    'set -em',
    'trap \'for job in $(jobs -p); do kill -- "-$job" 2>/dev/null || true; done\' EXIT',
  ]
  let count = 0
  for (const step of steps) {
    if (step.kind === 'file') {
      lines.push(`cat > '${step.name}' <<'END_OF_FILE'\n${step.code}END_OF_FILE`)
      continue
    }
    for (const { code } of runsOf([...steps.filter(({ kind }) => kind === 'file'), step])) {
      lines.push(`{\n${code}} > '${join(outputs, `${count}.out`)}' 2>&1`)
      count += 1
    }
  }
  return `${lines.join('\n')}\n`
}

async function runScript(
  script: string,
  home: string,
  variables: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:FORMWIRE_|NODE_OPTIONS|npm_)/i.test(name),
  )
  const child = spawn('bash', [script], {
    cwd: home,
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
  return { code, output }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
