import childProcess from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { node22 } from './node-22.ts'
import { KINDS, PROGRAMS, pathOf, QUICK, type TestKind } from './programs.ts'

/**
 * Makes Node start only the programs that the kind of the test file names. A module of its own, since test files that share modules load
 * it once.
 */
export const refusedPrograms: string[] = []

let kind: TestKind = 'unit'

/** Says which kind the next test file has. */
export const useKind = (of: TestKind): void => {
  kind = of
}

/** Node, what comes with it, and what every system has. */
const EVERYWHERE = new Set(['node', 'npm', 'npx', 'sh', 'bash', 'env', 'cp', 'id', 'mkfifo', 'sleep', 'tail'])

/** Names that a package has for its programs. */
const ALIASES: Readonly<Record<string, string>> = {
  initdb: 'postgres',
  pg_basebackup: 'postgres',
  psql: 'postgres',
  createdb: 'postgres',
  'chromium-headless-shell': 'chromium',
}

/** What tests make or bring along is no program of the machine. */
const OWN = [fileURLToPath(new URL('../../', import.meta.url)), realpathSync(process.env.TMPDIR ?? '/tmp')]

function check(program: string, args: readonly unknown[]): void {
  const name = basename(program)
  if (QUICK.includes(kind)) refuse(program)
  if (program === process.execPath || program === node22) return
  const path = program.includes('/') ? program : pathOf(program)
  // A program that is missing everywhere is what some tests are about.
  if (path === undefined || !existsSync(path)) return
  const isOwn = OWN.some((folder) => path.startsWith(folder))
  if (!(isOwn || EVERYWHERE.has(name) || allowed(name))) refuse(program)
  if (name === 'sh' || name === 'bash') checkScript(args.join('\n'))
}

const allowed = (name: string): boolean => (KINDS[kind] as readonly string[]).includes(ALIASES[name] ?? name)

/** Looks for the programs of other kinds where a command begins in a script. */
function checkScript(script: string): void {
  for (const [, name = ''] of script.matchAll(/(?:^|[|;&(`\n]|\$\(|\bexec|\benv)\s*([\w-]+)(?=\s)/g))
    if ((PROGRAMS.has(name) || name in ALIASES) && !allowed(name)) refuse(name)
}

function refuse(program: string): never {
  refusedPrograms.push(program)
  throw new Error(
    `A test of the kind "${kind}" may not start ${program}: name the file after a kind that has it, in test/support/programs.ts.`,
  )
}

type Start = (program: string, ...rest: unknown[]) => unknown

for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'fork', 'exec', 'execSync'] as const) {
  const original = childProcess[name] as Start
  const checked =
    (start: Start): Start =>
    (program, ...rest) => {
      if (name === 'fork') check(process.execPath, [])
      else if (name.startsWith('execS') || name === 'exec') check('sh', [program])
      else check(String(program), Array.isArray(rest[0]) ? rest[0] : [])
      return Reflect.apply(start, childProcess, [program, ...rest])
    }
  const replaced = checked(original)
  const later = (original as { [promisify.custom]?: Start })[promisify.custom]
  if (later) Object.defineProperty(replaced, promisify.custom, { value: checked(later) })
  ;(childProcess as Record<string, unknown>)[name] = replaced
}
syncBuiltinESMExports()
