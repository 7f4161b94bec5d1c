import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { globSync } from 'tinyglobby'

/** One change of the sources, switched on by its id while the instrumented sources run. */
export interface Mutant {
  /** Names the change in every run until its place changes: file, mutator, both texts, and which of several equal ones. */
  key: string
  /** The id in the instrumented sources. */
  id: string
  file: string
  /** From 1. */
  line: number
  mutator: string
  original: string
  replacement: string
}

export interface Mutants {
  mutants: Mutant[]
  /** Instrumented sources by the paths of their files, relative to the repository. */
  sources: Record<string, string>
}

interface Config {
  mutate: string[]
  mutator: { excludedMutations: string[] }
}

const silent = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  fatal: () => {},
}

/** Returns the files that `stryker.config.json` lists. */
export function mutatedFiles(root: string): string[] {
  return globSync(readConfig(root).mutate, { cwd: root }).sort()
}

/**
 * Lists the changes that Stryker makes to some files, and returns the sources that contain all of them. Kept in `cache` until a file
 * changes.
 */
export async function listMutants(root: string, files: readonly string[], cache: string): Promise<Mutants> {
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const of = createHash('sha256')
    .update(JSON.stringify([...texts, readConfig(root)]))
    .digest('hex')
  if (existsSync(cache)) {
    const kept = JSON.parse(readFileSync(cache, 'utf8')) as Mutants & { of: string }
    if (kept.of === of) return kept
  }
  const mutants = await instrument(root, texts)
  mkdirSync(dirname(cache), { recursive: true })
  writeFileSync(cache, JSON.stringify({ ...mutants, of }))
  return mutants
}

async function instrument(root: string, texts: ReadonlyMap<string, string>): Promise<Mutants> {
  const instrumented = await new Instrumenter(silent).instrument(
    [...texts].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, ignorers: [], excludedMutations: readConfig(root).mutator.excludedMutations },
  )
  const seen = new Map<string, number>()
  // Changes of an excluded mutator are in the sources too.
  const wanted = instrumented.mutants.filter(({ status }) => status !== 'Ignored')
  const mutants = wanted.map(({ id, fileName, location, mutatorName, replacement = '' }) => {
    const original = textAt(texts.get(fileName) as string, location)
    const name = [fileName, mutatorName, original, replacement].join('|')
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    const key = createHash('sha256').update(`${name}|${count}`).digest('hex').slice(0, 16)
    return {
      key,
      id,
      file: fileName,
      line: location.start.line + 1,
      mutator: mutatorName,
      original,
      replacement,
    }
  })
  return {
    mutants,
    sources: Object.fromEntries(instrumented.files.map(({ name, content }) => [name, content])),
  }
}

/**
 * Draws a sample. The same seed draws the same changes, whatever their order; an edit of the sources replaces only the changes at
 * its place.
 */
export function draw(mutants: readonly Mutant[], size: number, seed: string): Mutant[] {
  const rank = ({ key }: Mutant): string => createHash('sha256').update(`${seed}|${key}`).digest('hex')
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant)
}

function readConfig(root: string): Config {
  return JSON.parse(readFileSync(join(root, 'stryker.config.json'), 'utf8')) as Config
}

interface Place {
  line: number
  column: number
}

/** Returns the text between two places, both from 0. */
function textAt(text: string, { start, end }: { start: Place; end: Place }): string {
  const lines = text.split('\n').slice(start.line, end.line + 1)
  const last = lines.length - 1
  lines[last] = (lines[last] as string).slice(0, end.column)
  lines[0] = (lines[0] as string).slice(start.column)
  return lines.join('\n')
}
