import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { CHROMIUM } from './chromium.ts'
import { node22 } from './node-22.ts'

/**
 * What a kind of test file, such as `*.postgres.test.ts`, needs on the machine besides Node. This table alone says so: without the
 * programs, `vitest.config.ts` collects no file of the kind, and a test that starts a program of another kind fails
 * (`only-its-programs.ts`).
 */
export const KINDS = {
  /** In a worker that they share. The first three start no program and wait for nothing: `pnpm test` runs them. */
  unit: [],
  /** In a worker of their own. */
  isolated: [],
  /** With many cases, of which `pnpm test` tries a few. */
  cases: [],
  /** Node itself, and what every system has. */
  process: [],
  redis: ['redis-server'],
  postgres: ['postgres', 'pgbouncer', 'node22', 'ps'],
  browser: ['chromium', 'curl'],
  terminal: ['tmux'],
  shells: ['git', 'ps', 'fish', 'zsh', 'tmux', 'openssl', 'curl', 'sqlite3'],
  /** Examples and pages in other languages, with all that their commands and servers need. */
  languages: [
    ...['python3', 'pytest', 'ruby', 'php', 'go', 'shellcheck', 'curl', 'jq', 'sqlite3'],
    ...['postgres', 'psql', 'node22', 'ps'],
  ],
} as const satisfies Record<string, readonly string[]>

export type TestKind = keyof typeof KINDS

export const QUICK: readonly TestKind[] = ['unit', 'isolated', 'cases']

/** Every program of the table. */
export const PROGRAMS: ReadonlySet<string> = new Set(Object.values(KINDS).flat())

/** Returns the programs of a kind that are not installed. */
export const missingFor = (kind: TestKind): string[] => KINDS[kind].filter((program) => !isInstalled(program))

function isInstalled(program: string): boolean {
  if (program === 'postgres') return existsSync(join(postgresBin(), 'postgres'))
  if (program === 'node22') return existsSync(node22)
  if (program === 'chromium') return existsSync(CHROMIUM)
  return pathOf(program) !== undefined
}

/** Returns the path of a program to which `PATH` leads. */
export const pathOf = (program: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))

const POSTGRES = '/usr/lib/postgresql'

/** Returns the folder of the programs of the newest PostgreSQL. */
export function postgresBin(): string {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).map(Number) : []
  return join(POSTGRES, String(Math.max(0, ...versions)), 'bin')
}
