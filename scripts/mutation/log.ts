import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the process with the tests writes down, one JSON object a line: it may be killed at any time. */
export type Entry =
  /** A test file starts. */
  | { type: 'file'; file: string }
  /** All tests of a file have run with all their mutants. */
  | { type: 'file-done'; file: string }
  /** A test starts, with a mutant or with the sources as they are. */
  | { type: 'try'; test: string; mutant?: string }
  /** A test ran these mutants, in so many milliseconds. */
  | { type: 'covered'; test: string; ms: number; mutants: string[] }
  /** These mutants ran while no test did: when a module loaded, or in a hook of a suite. */
  | { type: 'static'; mutants: string[] }
  /** A test noticed a mutant: it failed, or it did not end. */
  | { type: 'killed' | 'timeout'; mutant: string; test: string }
  /** A test ran a mutant and passed. */
  | { type: 'survived'; mutant: string; test: string }
  /** A test ran a mutant on its first run only: what it returned was kept. */
  | { type: 'kept'; mutant: string; test: string }
  /** A test failed with a mutant after others had run, and then without it: it decides in a new process. */
  | { type: 'suspect'; mutant: string; test: string }
  /** A test failed without any mutant, after others had run with some: it runs again in a new process. */
  | { type: 'doubt'; test: string }
  /** A test that fails without any mutant, the first time or the second, decides nothing. */
  | { type: 'unusable'; test: string }
  /** The process ends itself, because a mutant left something behind. */
  | { type: 'restart' }

/** The mutants that a test runs, and its milliseconds. */
export interface Coverage {
  ms: number
  mutants: string[]
}

export function write(path: string, entry: Entry): void {
  appendFileSync(path, `${JSON.stringify(entry)}\n`)
}

export function read(path: string): Entry[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Entry)
}

/** What is known of the mutants of a log. */
export class Findings {
  readonly decided = new Set<string>()
  /** The mutants that a test runs, by its name. */
  readonly coverage = new Map<string, Coverage>()
  readonly covered = new Set<string>()
  readonly static = new Set<string>()
  readonly kept = new Set<string>()
  readonly survived = new Set<string>()
  readonly doubted = new Set<string>()
  readonly unusable = new Set<string>()
  readonly filesDone = new Set<string>()
  readonly killedBy = new Map<string, { test: string; timeout: boolean }>()
  #pairs = new Set<string>()
  #suspects = new Set<string>()

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) this.add(entry)
  }

  add(entry: Entry): void {
    if (entry.type === 'covered') {
      this.coverage.set(entry.test, entry)
      for (const mutant of entry.mutants) this.covered.add(mutant)
    }
    if (entry.type === 'unusable') this.unusable.add(entry.test)
    if (entry.type === 'static') for (const mutant of entry.mutants) this.static.add(mutant)
    if (entry.type === 'doubt') this.doubted.add(entry.test)
    if (entry.type === 'file-done') this.filesDone.add(entry.file)
    if (entry.type === 'suspect') this.#suspects.add(pair(entry))
    if (entry.type === 'kept') this.kept.add(entry.mutant)
    if (entry.type === 'survived') this.survived.add(entry.mutant)
    if (entry.type === 'kept' || entry.type === 'survived') {
      this.#pairs.add(pair(entry))
    }
    if (entry.type === 'killed' || entry.type === 'timeout') {
      this.decided.add(entry.mutant)
      this.killedBy.set(entry.mutant, { test: entry.test, timeout: entry.type === 'timeout' })
    }
  }

  /** Tells whether a test already ran a mutant and passed. */
  passed(mutant: string, test: string): boolean {
    return this.#pairs.has(pair({ mutant, test }))
  }

  suspect(mutant: string, test: string): boolean {
    return this.#suspects.has(pair({ mutant, test }))
  }
}

/** Returns what the logs in a folder say together. */
export function findingsIn(folder: string): Findings {
  const logs = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : []
  return new Findings(logs.flatMap((name) => read(join(folder, name))))
}

function pair({ mutant, test }: { mutant: string; test: string }): string {
  return `${mutant}|${test}`
}
