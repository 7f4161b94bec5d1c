/** Runs a tutorial as a reader would: saves its files, runs its commands in one shell, and compares what they print. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { binaryOf } from '../acceptance/support.ts'
import { TEST_TIMEOUT_MS } from '../support/patience.ts'

/** Milliseconds until a tutorial is stopped, which waits for something that does not come. */
export const TUTORIAL_MS = 3 * TEST_TIMEOUT_MS

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What a page has its reader do. */
export type Step =
  | { kind: 'file'; name: string; code: string }
  /** `prints` is the text that follows the commands; `…` in it stands for any text, as a line for any lines. */
  | { kind: 'commands'; code: string; prints: string | null }

const FENCE = /^( *)(`{3,})(\w*) *(?:\[([^\]]+)\])?\n([\s\S]*?)^\1\2$/gm
const SAVED_AS = /Save this as\s+`([^`]+)`/

/** Reads the steps of a page: files are saved under the name before them or in their tab. @throws Error for code that no step uses */
export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = []
  let end = 0
  for (const match of markdown.matchAll(FENCE)) {
    const [whole, , , language = '', label, code = ''] = match
    const before = markdown.slice(end, match.index)
    end = match.index + whole.length
    const last = steps.at(-1)
    const name = label?.includes('.') ? label : SAVED_AS.exec(before)?.[1]
    if (name !== undefined) steps.push({ kind: 'file', name, code })
    else if (language === 'sh') steps.push({ kind: 'commands', code, prints: null })
    else if (language === 'text' && last?.kind === 'commands' && last.prints === null) last.prints = code
    else throw new Error(`this code belongs to no step:\n${whole}`)
  }
  return steps
}

/** Returns a pattern for what a command prints. */
export function patternOf(text: string): RegExp {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) =>
      line === '…'
        ? '(?:.*\\n)*?'
        : `${line
            .split('…')
            .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
            .join('.*')}\\n`,
    )
  return new RegExp(`^${lines.join('')}$`)
}

/** What a step of a tutorial printed. */
export interface Printed {
  commands: string
  /** What it must match; commands without a text after them may print anything. */
  expected: RegExp
  printed: string
}

/** Runs the steps in a temporary folder. @throws Error if a command fails */
export async function runTutorial(steps: readonly Step[]): Promise<Printed[]> {
  const work = mkdtempSync(join(tmpdir(), 'formwire-tutorial-'))
  try {
    const port = String(await freePort())
    const folder = join(work, 'home')
    mkdirSync(folder)
    writeShims(join(work, 'bin'))
    const script = scriptOf(steps, join(work, 'steps')).replace(/\b3000\b/g, port)
    writeFileSync(join(work, 'tutorial.sh'), script)
    const { code, output } = await runScript(join(work, 'tutorial.sh'), folder, join(work, 'bin'))
    const printed = readdirSync(join(work, 'steps'))
      .filter((name) => name.endsWith('.out'))
      .sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
      .map((name) => readFileSync(join(work, 'steps', name), 'utf8'))
    if (code !== 0) {
      throw new Error(`a command of the tutorial failed with ${code}:\n${output}\n${printed.join('\n')}`)
    }
    return runsOf(steps).map(({ code: commands, prints }, index) => ({
      commands,
      expected: prints === null ? /^/ : patternOf(prints.replace(/\b3000\b/g, port)),
      printed: (printed[index] ?? '').replaceAll('\r', ''),
    }))
  } finally {
    rmSync(work, { recursive: true })
  }
}

type Commands = Extract<Step, { kind: 'commands' }>

/** Returns the commands to run: those that run a file of a tab are repeated for the files of the other tabs. */
function runsOf(steps: readonly Step[]): Commands[] {
  const names = steps.flatMap((step) => (step.kind === 'file' ? [step.name] : []))
  const stem = (name: string): string => name.slice(0, name.lastIndexOf('.'))
  return steps.flatMap((step) => {
    if (step.kind === 'file') return []
    const others = names.flatMap((name) =>
      names
        .filter((other) => other !== name && stem(other) === stem(name) && step.code.includes(`node ${name}`))
        .map((other) => ({ ...step, code: step.code.replaceAll(`node ${name}`, `node ${other}`) })),
    )
    return [step, ...others]
  })
}

/** One shell for all commands, so that variables and folders stay. Files are written where the commands before have gone to. */
function scriptOf(steps: readonly Step[], outputs: string): string {
  mkdirSync(outputs)
  const lines = ['set -em', "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT"]
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

/** Replaces npm: packages are those of this repository, and a program runs only after its package was installed. */
function writeShims(folder: string): void {
  mkdirSync(folder)
  const commandOf = (name: 'cli' | 'reference-server'): string =>
    `NODE_OPTIONS= exec '${process.execPath}' '${binaryOf(name)}'`
  const installed = (name: string): string =>
    `[ -e node_modules/@formwire/${name} ] || { echo "@formwire/${name} is not installed" >&2; exit 1; }`
  const npx = `#!/bin/bash
program=$1; shift
case $program in
  formwire) ${installed('cli')}; ${commandOf('cli')} "$@" ;;
  formwire-server) ${installed('reference-server')}; ${commandOf('reference-server')} "$@" ;;
  *) exec "$PWD/node_modules/.bin/$program" "$@" ;;
esac
`
  const npm = `#!/bin/bash
set -e
export NODE_OPTIONS=
if [ "$1" = init ]; then echo '{ "type": "commonjs" }' > package.json; exit; fi
[ "$1" = install ] || { echo "npm $1 is not part of a tutorial" >&2; exit 1; }
shift
for package in "$@"; do
  case $package in
    --save-dev) continue ;;
    @formwire/*) source='${root}packages/'\${package#@formwire/} ;;
    *) source=$(ls -d '${root}node_modules/'"$package" '${root}'packages/*/node_modules/"$package" 2>/dev/null | head -1) ;;
  esac
  [ -e "$source/package.json" ] || { echo "no package $package" >&2; exit 1; }
  mkdir -p "node_modules/$(dirname "$package")" node_modules/.bin
  ln -sfn "$source" "node_modules/$package"
  bin=$(node -p "JSON.stringify(Object.entries(require('$source/package.json').bin ?? {}))")
  node -e "for (const [name, path] of $bin) require('fs').symlinkSync('$source/' + path, 'node_modules/.bin/' + name)" 2>/dev/null || true
done
`
  for (const [name, text] of Object.entries({ npm, npx }))
    writeFileSync(join(folder, name), text, { mode: 0o755 })
}

async function runScript(
  script: string,
  home: string,
  shims: string,
): Promise<{ code: number | null; output: string }> {
  // The packages that a tutorial installs are the sources.
  const sources = `--conditions=@formwire/source --import ${pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href}`
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:FORMWIRE_|NODE_OPTIONS|npm_)/.test(name),
  )
  const child = spawn('bash', [script], {
    cwd: home,
    env: {
      ...Object.fromEntries(inherited),
      PATH: `${shims}${delimiter}${process.env.PATH}`,
      HOME: home,
      NO_COLOR: '1',
      NODE_OPTIONS: sources,
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

/** Pages name port 3000, which something else may use. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
