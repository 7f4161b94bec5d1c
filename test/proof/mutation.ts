/**
 * What the tests prove, so that later changes can be compared with it. From the root of the repository:
 *
 *     npx tsx --conditions=@formwire/source test/proof/mutation.ts draw    # writes mutants.json: a sample of Stryker's mutants
 *     npx tsx --conditions=@formwire/source test/proof/mutation.ts run     # runs the sample, writes mutation.json
 *
 * `run` finds the mutants by their text, also where the code has moved. With folders (`run packages/sdk`) it runs the mutants of these
 * alone, and keeps the results of the others.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { root } from '../../scripts/project/project.ts'
import { type Mutant, placeOf } from './sampled.ts'

const SEED = 51
/** This share of a module's mutants is drawn, but no fewer than these of a module (a folder) and of a file. */
const SHARE = 0.08
const LEAST_OF_MODULE = 24
const LEAST_OF_FILE = 3
const TEXT_LENGTH = 160

/** A mutant, told apart where line numbers have changed. */
interface Drawn {
  readonly line: number
  readonly mutator: string
  /** The line where it begins. */
  readonly source: string
  /** What it replaces, on one line, cut. */
  readonly text: string
  readonly replacement: string
  /** How many with the same mutator and texts come before it in the file, when there are any. */
  readonly nth?: number
}

interface Sample {
  readonly seed: number
  /** How many were drawn, of how many. */
  readonly drawn: number
  readonly of: number
  readonly files: Readonly<Record<string, readonly Drawn[]>>
}

/** As Stryker names it; the text of a mutant that has `Gone` is in no file any more. */
type Status = Awaited<ReturnType<Stryker['runMutationTest']>>[number]['status'] | 'Gone'
type Outcome = Drawn & { readonly status: Status }

interface Score {
  readonly killed: number
  readonly timeout: number
  readonly survived: number
  readonly noCoverage: number
  /** Gone, or Stryker could not run it. */
  readonly other: number
  /** Percent killed or timed out, without `other`. */
  readonly score: number
}

interface Results {
  readonly minutes: Readonly<Record<string, number>>
  readonly all: Score
  readonly modules: Readonly<Record<string, Score>>
  readonly files: Readonly<Record<string, Score>>
  readonly notKilled: Readonly<Record<string, readonly Outcome[]>>
}

const { mutate, mutator } = JSON.parse(readFileSync(`${root}stryker.config.json`, 'utf8')) as {
  mutate: string[]
  mutator: { excludedMutations: string[] }
}

const read = <T>(name: string): T => JSON.parse(readFileSync(`${root}test/proof/${name}`, 'utf8'))

function write(name: string, content: unknown): void {
  const file = `test/proof/${name}`
  writeFileSync(root + file, JSON.stringify(content))
  execFileSync('npx', ['biome', 'format', '--write', file], { cwd: root })
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

function describe({ mutatorName, replacement, location: { start, end } }: Mutant, content: string): Drawn {
  const lines = content.split('\n').slice(start.line, end.line + 1)
  const source = lines[0] ?? ''
  lines.push((lines.pop() ?? '').slice(0, end.column))
  lines[0] = (lines[0] ?? '').slice(start.column)
  return {
    line: start.line + 1,
    mutator: mutatorName,
    source: source.trim(),
    text: oneLine(lines.join(' ')).slice(0, TEXT_LENGTH),
    replacement: oneLine(replacement ?? ''),
  }
}

const isSame = (a: Drawn, b: Drawn): boolean =>
  a.mutator === b.mutator && a.source === b.source && a.text === b.text && a.replacement === b.replacement

interface Found {
  readonly drawn: Drawn
  readonly place: string
}

/** Returns every mutant of Stryker's configuration, by file. */
async function allMutants(): Promise<Record<string, Found[]>> {
  const core = createRequire(import.meta.url).resolve('@stryker-mutator/core')
  const { Instrumenter } = await import(createRequire(core).resolve('@stryker-mutator/instrumenter'))
  const log = { isDebugEnabled: () => false, debug: () => undefined, info: () => undefined }
  const globs = mutate.map((glob) => `:(glob)${glob}`)
  const names = execFileSync('git', ['ls-files', ...globs], { cwd: root, encoding: 'utf8' })
  const byFile: Record<string, Found[]> = {}
  for (const name of names.trim().split('\n')) {
    const content = readFileSync(root + name, 'utf8')
    const options = { ...mutator, ignorers: [], plugins: null }
    const { mutants } = await new Instrumenter(log).instrument([{ name, mutate: true, content }], options)
    const found: Found[] = []
    for (const mutant of mutants as (Mutant & { status?: Status })[]) {
      if (mutant.status === 'Ignored') continue
      const drawn = describe(mutant, content)
      const nth = found.filter((other) => isSame(other.drawn, drawn)).length
      found.push({ drawn: { ...drawn, ...(nth > 0 && { nth }) }, place: placeOf(mutant) })
    }
    if (found.length > 0) byFile[name] = found
  }
  return byFile
}

/** Returns numbers below 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

async function draw(): Promise<void> {
  const byFile = await allMutants()
  const ofModule: Record<string, number> = {}
  for (const [file, mutants] of Object.entries(byFile)) {
    ofModule[dirname(file)] = (ofModule[dirname(file)] ?? 0) + mutants.length
  }
  const random = randomOf(SEED)
  const files: Record<string, Drawn[]> = {}
  for (const [file, mutants] of Object.entries(byFile)) {
    const share = Math.max(SHARE, LEAST_OF_MODULE / (ofModule[dirname(file)] ?? 0))
    files[file] = mutants
      .map(({ drawn }) => ({ drawn, rank: random() }))
      .sort((a, b) => a.rank - b.rank)
      .slice(0, Math.max(LEAST_OF_FILE, Math.round(share * mutants.length)))
      .map(({ drawn }) => drawn)
      .sort((a, b) => a.line - b.line)
  }
  const drawn = Object.values(files).flat().length
  const of = Object.values(byFile).flat().length
  write('mutants.json', { seed: SEED, drawn, of, files } satisfies Sample)
  console.log(`${drawn} of ${of} mutants in ${Object.keys(files).length} files`)
}

/** Returns the mutant that was drawn from a file: there, or where its code is now. */
function find(drawn: Drawn, file: string, now: Record<string, Found[]>): Found | undefined {
  for (const candidates of [now[file] ?? [], Object.values(now).flat()]) {
    const same = candidates.filter((other) => isSame(other.drawn, drawn))
    if (same.length > 0) return same[drawn.nth ?? 0] ?? same[0]
  }
  return undefined
}

/** Runs the mutants below a folder and returns what became of them, by the file from which they were drawn. */
async function outcomesOf(folder: string, sample: Sample): Promise<Record<string, Outcome[]>> {
  const now = await allMutants()
  const outcomes: Record<string, Outcome[]> = {}
  const places = new Map<string, { readonly file: string; readonly drawn: Drawn }>()
  for (const [file, mutants] of Object.entries(sample.files)) {
    if (!file.startsWith(`${folder}/`)) continue
    outcomes[file] = []
    for (const drawn of mutants) {
      const found = find(drawn, file, now)
      if (found) places.set(found.place, { file, drawn })
      else outcomes[file].push({ ...drawn, status: 'Gone' })
    }
  }
  const scratch = mkdtempSync(join(tmpdir(), 'formwire-proof-'))
  process.env.FORMWIRE_TESTS = 'mutation'
  process.env.FORMWIRE_SAMPLE = join(scratch, 'places.json')
  writeFileSync(process.env.FORMWIRE_SAMPLE, JSON.stringify([...places.keys()]))
  const results = await new Stryker({
    mutate: [...new Set([...places.keys()].map((place) => place.slice(0, place.indexOf(':'))))],
    plugins: ['@stryker-mutator/vitest-runner', './test/proof/sampled.ts'],
    checkers: ['sampled'],
    checkerNodeArgs: ['--import', 'tsx'],
    reporters: ['progress-append-only'],
  }).runMutationTest()
  rmSync(scratch, { recursive: true })
  for (const result of results) {
    const { start, end } = result.location
    const location = {
      start: { line: start.line - 1, column: start.column - 1 },
      end: { line: end.line - 1, column: end.column - 1 },
    }
    const found = places.get(placeOf({ ...result, location }))
    if (!found) continue
    outcomes[found.file]?.push({ ...found.drawn, status: result.status })
    // A busy machine may have killed it.
    if (result.status === 'Killed' && /timed? ?out/i.test(result.statusReason ?? ''))
      console.log(
        `killed by a wait: ${found.file}:${found.drawn.line} ${result.statusReason?.split('\n')[0]}`,
      )
  }
  return outcomes
}

const total = (scores: readonly Omit<Score, 'score'>[]): Score => {
  const sum = (name: keyof Omit<Score, 'score'>) => scores.reduce((all, score) => all + score[name], 0)
  const [killed, timeout, survived] = [sum('killed'), sum('timeout'), sum('survived')]
  const [noCoverage, other] = [sum('noCoverage'), sum('other')]
  const detected = killed + timeout
  const score = Math.round((1000 * detected) / (detected + survived + noCoverage)) / 10
  return { killed, timeout, survived, noCoverage, other, score }
}

function scoreOf(outcomes: readonly Outcome[]): Score {
  const count = (status: Status) => outcomes.filter((outcome) => outcome.status === status).length
  const [killed, timeout, survived] = [count('Killed'), count('Timeout'), count('Survived')]
  const noCoverage = count('NoCoverage')
  const other = outcomes.length - killed - timeout - survived - noCoverage
  return total([{ killed, timeout, survived, noCoverage, other }])
}

async function run(folders: readonly string[]): Promise<void> {
  const sample = read<Sample>('mutants.json')
  const packages = new Set(Object.keys(sample.files).map((file) => file.split('/', 2).join('/')))
  for (const folder of folders.length > 0 ? folders : packages) {
    const begin = Date.now()
    const outcomes = Object.entries(await outcomesOf(folder, sample))
    const minutes = Math.round((Date.now() - begin) / 60_000)
    const before = existsSync(`${root}test/proof/mutation.json`) ? read<Results>('mutation.json') : undefined
    const files = {
      ...before?.files,
      ...Object.fromEntries(outcomes.map(([file, all]) => [file, scoreOf(all)])),
    }
    const modules: Record<string, Score> = {}
    for (const [file, score] of Object.entries(files)) {
      const module = dirname(file)
      modules[module] = total(modules[module] ? [modules[module], score] : [score])
    }
    const notKilled = { ...before?.notKilled }
    for (const [file, all] of outcomes) notKilled[file] = all.filter(({ status }) => status !== 'Killed')
    const all = total(Object.values(files))
    const results = { minutes: { ...before?.minutes, [folder]: minutes }, all, modules, files, notKilled }
    write('mutation.json', results satisfies Results)
    console.log(folder, minutes, 'minutes')
    console.table(modules)
  }
}

const [task, ...folders] = process.argv.slice(2)
if (task === 'draw') await draw()
else if (task === 'run') await run(folders)
else throw new Error('expected draw or run')
