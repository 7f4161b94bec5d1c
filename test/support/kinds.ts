import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * How a test runs: with modules that it shares with other tests, with modules of its own, with many cases, with other programs,
 * in a browser.
 */
export type TestKind = 'unit' | 'isolated' | 'cases' | 'process' | 'browser'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Folders with tests, and those whose folders have some. */
const FOLDERS = ['test', 'bench/test', ...within('packages'), ...within('examples')]

/** Tests of every value of each unspecified behaviour, and of every case over every transport. */
const EVERY_VALUE = /(?:^|[/-])(?:variants|every-value|every-transport)\.test\.ts$/

/** Replaces modules or globals, or looks at everything that is open in the process. */
const NEEDS_ISOLATION = /\bvi\.(?:mock|doMock|resetModules|stubGlobal|useFakeTimers)\(|getActiveResourcesInfo/

/** A support file with hooks of its own: they run in the first test file that imports it, unless each has modules of its own. */
const HOOK = /^(?:before|after)(?:Each|All)\(/m

/** The slowest kind first: what a test, or one of its support files, contains. */
const CONTENTS: [TestKind, RegExp][] = [
  ['browser', /from 'playwright-core'/],
  ['process', /from '(?:node:child_process|typescript)'/],
  ['cases', /from '\.[^']*\/support\/cases\.ts'/],
  ['isolated', NEEDS_ISOLATION],
]

/**
 * Returns the test files of each kind, by what they and their support files contain, so that no list has to be kept.
 * The paths are relative to the repository.
 */
export function testFiles(): Record<TestKind, string[]> {
  const files: Record<TestKind, string[]> = { unit: [], isolated: [], cases: [], process: [], browser: [] }
  const known = new Map<string, TestKind>()
  for (const folder of FOLDERS) {
    const path = join(root, folder)
    if (!existsSync(path)) continue
    for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!/\.test\.tsx?$/.test(name) || name.includes('node_modules')) continue
      const file = join(path, name)
      const kind = kindOf(file, known)
      files[(kind === 'unit' || kind === 'isolated') && EVERY_VALUE.test(name) ? 'cases' : kind].push(
        relative(root, file),
      )
    }
  }
  return files
}

/** Returns the slowest kind of a file and what it imports from test folders. */
function kindOf(file: string, known: Map<string, TestKind>): TestKind {
  const before = known.get(file)
  if (before) return before
  // Until it is known: two files may import each other.
  known.set(file, 'unit')
  const text = readFileSync(file, 'utf8')
  const imported = [...text.matchAll(/from '(\.{1,2}\/[^']+\.tsx?)'/g)]
    .map(([, path = '']) => resolve(dirname(file), path))
    .filter((path) => path.includes('/test/') && existsSync(path))
    .map((path) => kindOf(path, known))
  const hasHooks = !/\.test\.tsx?$/.test(file) && HOOK.test(text)
  const own: TestKind = hasHooks ? 'isolated' : 'unit'
  const kind = CONTENTS.find(([kind, pattern]) => pattern.test(text) || imported.includes(kind))?.[0] ?? own
  known.set(file, kind)
  return kind
}

function within(folder: string): string[] {
  return readdirSync(join(root, folder)).map((name) => `${folder}/${name}/test`)
}
