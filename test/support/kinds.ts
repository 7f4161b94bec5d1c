import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * How a test runs: in a worker that it shares with other tests, in one of its own, with many cases, with other programs, in a browser.
 */
export type TestKind = 'unit' | 'isolated' | 'cases' | 'process' | 'browser'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Folders with tests, and those whose folders have some. */
const FOLDERS = ['test', 'bench/test', ...within('packages'), ...within('examples')]

/** Tests of every value of each unspecified behaviour, and of every case over every transport. */
const EVERY_VALUE = /(?:^|[/-])(?:variants|every-value|every-transport)\.test\.ts$/

/** Replaces modules, or looks at everything that is open in the process. */
const NEEDS_ISOLATION = /\bvi\.(?:mock|doMock|resetModules)\(|getActiveResourcesInfo/

/** A support file with hooks of its own: they run in the first test file that imports it, unless each has modules of its own. */
const HOOK = /^(?:before|after)(?:Each|All)\(/m

/** Tries as many cases as it is asked to. */
const MANY_CASES = /from '\.[^']*\/support\/cases\.ts'/

/**
 * Takes long, and finds what seldom breaks: kills at random, every view in every look, many modules for the compiler, programs in
 * other languages.
 */
const SLOW = /\.slow\.test\.tsx?$/

/** The slowest kind first: what a test, or one of its support files, contains. */
const CONTENTS: [TestKind, RegExp][] = [
  ['browser', /from 'playwright-core'/],
  ['process', /from '(?:node:child_process|typescript)'/],
  ['cases', MANY_CASES],
]

/**
 * Returns the test files of each kind, by what they and their support files contain, so that no list has to be kept.
 * The paths are relative to the repository.
 *
 * @param thorough Returns those of the slow tier: the slow ones, and those that try as many cases as they are asked to. The others
 *   leave the slow ones out.
 */
export function testFiles(thorough = false): Record<TestKind, string[]> {
  const files: Record<TestKind, string[]> = { unit: [], isolated: [], cases: [], process: [], browser: [] }
  for (const folder of FOLDERS) {
    const path = join(root, folder)
    if (!existsSync(path)) continue
    for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!/\.test\.tsx?$/.test(name) || name.includes('node_modules')) continue
      const file = join(path, name)
      const isSlow = SLOW.test(name)
      if (isSlow && !thorough) continue
      const texts = textsOf(file)
      if (thorough && !isSlow && !texts.some((text) => MANY_CASES.test(text))) continue
      files[kindOf(file, texts)].push(relative(root, file))
    }
  }
  return files
}

function kindOf(file: string, texts: readonly string[]): TestKind {
  const [, ...support] = texts
  const found = CONTENTS.find(([, pattern]) => texts.some((text) => pattern.test(text)))?.[0]
  const kind = found ?? (EVERY_VALUE.test(file) ? 'cases' : 'unit')
  const isIsolated =
    texts.some((text) => NEEDS_ISOLATION.test(text)) || support.some((text) => HOOK.test(text))
  if (!isIsolated) return kind
  if (kind === 'unit' || kind === 'cases') return 'isolated'
  throw new Error(`${file} is a ${kind} test and needs a worker of its own, which these have not: split it.`)
}

/** Returns the text of a test, then those of the files that it imports from test folders. */
function textsOf(test: string): string[] {
  const texts: string[] = []
  const files = new Set([test])
  // What is added on the way is visited, too.
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    texts.push(text)
    for (const [, path = ''] of text.matchAll(/from '(\.{1,2}\/[^']+\.tsx?)'/g)) {
      const imported = resolve(dirname(file), path)
      if (imported.includes('/test/') && existsSync(imported)) files.add(imported)
    }
  }
  return texts
}

function within(folder: string): string[] {
  return readdirSync(join(root, folder)).map((name) => `${folder}/${name}/test`)
}
