import { readFileSync } from 'node:fs'

/** What the process with the tests has to know. */
export interface Work {
  root: string
  /** Where it writes down what it finds. */
  log: string
  /** The mutants to run: their keys by their ids. */
  keys: Record<string, string>
  /** The source files of the mutants, by their ids. */
  files: Record<string, string>
  /** Each mutant is active while all modules load. */
  static: boolean
  /** Each test file has modules of its own. */
  isolate: boolean
  /** The keys of the mutants that each test runs with, by its name; none to see which ones it covers. */
  pairs: Record<string, string[]>
  /** The test files, in order. */
  tests: string[]
  /** Instrumented sources by the paths of their files. */
  sources: Record<string, string>
}

/** The environment variable with the path of the file with the work. */
export const WORK = 'FORMWIRE_MUTATION_WORK'

export function readWork(): Work {
  const path = process.env[WORK]
  if (!path) throw new Error(`${WORK} is not set; run "npx -y pnpm@12 mutation".`)
  return JSON.parse(readFileSync(path, 'utf8')) as Work
}
