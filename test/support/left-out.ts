import { existsSync, readdirSync } from 'node:fs'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { root } from '../../scripts/project/project.ts'
import { KINDS, missingFor, type TestKind } from './programs.ts'

/**
 * Says in one line how many test files a run left out, and how to run them. In CI nothing is left out by chance: each file of the kinds
 * that ran must have run, and a test that was skipped, is not written yet or is expected to fail fails the run.
 */
export class LeftOut implements Reporter {
  readonly #isRest: boolean
  #vitest: Vitest | undefined

  /** @param isRest Whether the slow files and the many cases are asked for. */
  constructor(isRest: boolean) {
    this.#isRest = isRest
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!this.#vitest || isFiltered(this.#vitest)) return
    const kinds = new Set(this.#vitest.projects.map(({ name }) => name))
    const ran = new Set(modules.map(({ relativeModuleId }) => relativeModuleId))
    const all = testFiles()
    const others = all.filter((file) => !ran.has(file) && !this.#isOfOtherTier(file))
    const missed = others.filter((file) => kinds.has(kindOf(file)))
    if (process.env.CI) {
      fail('of the kinds that ran, these files did not run', missed)
      const tests = modules.flatMap(({ children }) => [...children.allTests()]).filter(didNotPass)
      const titles = tests.map(({ module, fullName }) => `${module.relativeModuleId} > ${fullName}`)
      fail('skipped, unfinished or expected to fail', titles)
    } else if (missed.length > 0) {
      const lacking = [...new Set(missed.map(kindOf))].map(
        (kind) => `${kind} (${missingFor(kind).join(', ')})`,
      )
      console.log(
        ` Left out   ${missed.length} files that need programs which are not installed: ${lacking.join(', ')}`,
      )
    }
    if (!this.#isRest) {
      const later = all.length - ran.size - missed.length
      console.log(
        ` Left out   ${later} files that need other programs or more time: npx -y pnpm@12 test:rest`,
      )
    }
  }

  /** Slow files run in the second tier alone, and those of `pnpm test` in the first alone. */
  #isOfOtherTier(file: string): boolean {
    return this.#isRest ? /(?:variants|every-[\w-]+)\.cases\./.test(file) : file.includes('.slow.')
  }
}

/** Files or tests that the command line names are no tier. */
const isFiltered = ({ config }: Vitest): boolean =>
  config.testNamePattern !== undefined ||
  process.argv.slice(2).some((word) => word !== 'run' && !word.startsWith('-'))

/** Returns every test file of the repository. */
function testFiles(): string[] {
  const folders = ['packages', 'examples'].flatMap((parent) =>
    readdirSync(root + parent).map((name) => `${parent}/${name}/test`),
  )
  return ['test', ...folders]
    .filter((folder) => existsSync(root + folder))
    .flatMap((folder) =>
      readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules'))
}

const kindOf = (file: string): TestKind => {
  const kind = /\.([a-z]+)\.test\.tsx?$/.exec(file)?.[1]
  return kind && kind in KINDS ? (kind as TestKind) : 'unit'
}

function fail(what: string, names: readonly string[]): void {
  if (names.length === 0) return
  console.error(
    `In CI every test must run and pass; ${what}:\n${names.map((name) => `  ${name}`).join('\n')}`,
  )
  process.exitCode = 1
}

const didNotPass = (test: TestCase): boolean =>
  test.result().state === 'skipped' || test.options.fails === true
