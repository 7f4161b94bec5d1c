import { defineConfig, type Plugin } from 'vitest/config'
import { AllRan } from './test/support/all-ran.ts'
import { TEST_TIMEOUT_MS, WAIT_MS } from './test/support/patience.ts'

const sourceCondition = '@formwire/source'
const thorough = process.env.FORMWIRE_TESTS === 'thorough'

/**
 * How a test runs, as its file name says: in a worker of its own (`*.isolated.test.ts`), with many cases, with other programs, in a
 * browser, or, without a kind, in a worker that it shares.
 */
const KINDS = ['unit', 'isolated', 'cases', 'process', 'browser'] as const
type TestKind = (typeof KINDS)[number]

/** A pattern for each folder: Vitest would look for one of all folders in node_modules, too, which takes over a minute. */
const tests = (names: string): string[] =>
  ['test', 'packages/*/test', 'examples/*/test'].map((folder) => `${folder}/**/${names}.test.{ts,tsx}`)

/** Their cases are every value of a behaviour, which no tier can raise. */
const EVERY_CASE = tests('{*variants,every-*}.cases')

/** Returns the test files of a kind: in the slow tier those with many cases and `*.slow.*`, otherwise all but the latter. */
export function filesOf(kind: TestKind): { include: string[]; exclude: string[] } {
  const others = `*.{${KINDS.join(',')}}`
  if (kind === 'unit') return { include: thorough ? [] : tests('*'), exclude: tests(others) }
  const name = thorough && kind !== 'cases' ? `*.slow.${kind}` : `*.${kind}`
  return { include: tests(name), exclude: thorough ? EVERY_CASE : tests(`*.slow.${kind}`) }
}

/** Vitest starts one worker on two cores; most tests wait for sockets, so a second one halves the time. */
const WORKERS = 2

/**
 * Kinds whose tests wait for other programs need more workers to keep both cores busy. They come last, where a long test delays no other
 * kind, the longest waits at the very end. Set by a plugin, since an option of the command line such as `--sequence.shuffle` replaces
 * `sequence` of each project.
 */
const MORE_WORKERS: Partial<Record<TestKind, { groupOrder: number; maxWorkers: number }>> = {
  browser: { groupOrder: 1, maxWorkers: WORKERS + 1 },
  process: { groupOrder: 2, maxWorkers: 2 * WORKERS },
}

const moreWorkers: Plugin = {
  name: 'more-workers',
  configureVitest({ project }) {
    const more = MORE_WORKERS[project.name as TestKind]
    if (!more) return
    project.config.maxWorkers = more.maxWorkers
    project.config.sequence = { ...project.config.sequence, groupOrder: more.groupOrder }
  },
}

export default defineConfig({
  // Tests read every package's sources, never a stale dist. Other packages are found as Node finds them: what the condition `module`
  // names in @opentelemetry/api 1.9 only a bundler can load.
  ssr: { resolve: { conditions: [sourceCondition, 'node', 'development|production'] } },
  test: {
    // Vitest runs the others by name: unit tests, the shortest, come last and keep all workers busy to the end.
    projects: KINDS.map((name) => ({
      extends: true as const,
      plugins: [moreWorkers],
      // Where tests share a worker, a module is evaluated once a worker instead of once a file.
      test: {
        name,
        ...filesOf(name),
        isolate: name === 'isolated',
        ...(name === 'process' && { globalSetup: ['./test/support/built-programs.ts'] }),
      },
    })),
    globalSetup: ['./test/support/scratch.ts'],
    // No test connects beyond this machine, and property tests use one seed.
    setupFiles: ['./test/support/loopback-only.ts', './test/support/property-seed.ts'],
    pool: 'threads',
    // Sources that have not changed since the last run are not transformed again.
    experimental: { fsModuleCache: true },
    maxWorkers: WORKERS,
    // Tests with more cases than usual take as long as they are asked to.
    testTimeout: thorough || process.env.FORMWIRE_PROPERTY_RUNS ? 3_600_000 : TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    expect: { requireAssertions: true, poll: { timeout: WAIT_MS } },
    reporters: ['default', ...(process.env.CI ? [new AllRan()] : [])],
    // A focused test passes nowhere: it would leave out the others.
    allowOnly: false,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.{ts,tsx}'],
      reporter: ['text-summary', 'html', 'json-summary'],
    },
  },
})
