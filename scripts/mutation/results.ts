import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Findings } from './log.ts'
import type { Mutant } from './mutants.ts'

/**
 * What became of a mutant: a test failed or did not end; all tests that ran it passed; tests of the package never ran it; or it was not
 * tried, because it only runs while a module loads.
 */
export type Status = 'killed' | 'timeout' | 'survived' | 'not covered' | 'static'

export interface Result {
  status: Status
  /** The test that noticed it. */
  test?: string
}

/** Results by the keys of their mutants. */
export type Results = Record<string, Result>

/** A mutant that was noticed once need not run again. */
export function noticed(result: Result | undefined): boolean {
  return result?.status === 'killed' || result?.status === 'timeout'
}

export function resultOf({ key }: Pick<Mutant, 'key'>, findings: Findings): Result {
  const killed = findings.killedBy.get(key)
  if (killed) return { status: killed.timeout ? 'timeout' : 'killed', test: killed.test }
  if (findings.static.has(key) || findings.kept.has(key)) return { status: 'static' }
  return { status: findings.survived.has(key) ? 'survived' : 'not covered' }
}

export function readResults(path: string): Results {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Results) : {}
}

export function writeResults(path: string, results: Results): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(results, undefined, 1)}\n`)
}
