import { defineConfig, type Plugin } from 'vitest/config'
import { LeftOut } from './test/support/left-out.ts'
import { TEST_TIMEOUT_MS, WAIT_MS } from './test/support/patience.ts'
import { KINDS, missingFor, QUICK, type TestKind } from './test/support/programs.ts'

const sourceCondition = '@formwire/source'

/** `pnpm test:rest`: what `pnpm test` leaves out, the slow files (`*.slow.*`) too, and more cases of the others. */
const isRest = process.env.FORMWIRE_TESTS === 'rest'

const names = Object.keys(KINDS) as TestKind[]

/** A pattern for each folder: Vitest would look for one of all folders in node_modules, too, which takes over a minute. */
const tests = (pattern: string): string[] =>
  ['test', 'packages/*/test', 'examples/*/test'].map((folder) => `${folder}/**/${pattern}.test.{ts,tsx}`)

/** Their cases are every value of a behaviour, which no tier can raise. */
const EVERY_CASE = tests('{*variants,every-*}.cases')

/** `pnpm mutation`: Stryker runs, for each mutant, the quick tests that judge what it mutates. */
const isMutation = process.env.FORMWIRE_TESTS === 'mutation'

/** Folders of these tests, and files that take too long to run for each mutant. */
const JUDGES = [
  'webhook-verify/test',
  'sdk/test/polling',
  'reference-server/test/{clock,conformance,control,delivery,domain,http,policy,services,store,unspecified}',
].map((folder) => `packages/${folder}/**/`)
const TOO_SLOW = [
  'conformance/{run,random-deployments.cases}',
  'control/{receivers,built-in-receiver,openapi}',
  'http/{fuzz/fuzz.cases,socket}',
  'damaged-snapshot.cases',
].map((file) => `packages/**/${file}.test.ts`)

/** Returns the test files of a kind. Without the programs that the kind needs there are none. */
function filesOf(kind: TestKind): { include: string[]; exclude: string[] } {
  if (missingFor(kind).length > 0) return { include: [], exclude: [] }
  if (isMutation)
    return {
      include: JUDGES.map((folder) => `${folder}${kind === 'unit' ? '*' : `*.${kind}`}.test.ts`),
      exclude: [...TOO_SLOW, ...(kind === 'unit' ? tests(`*.{${names.join(',')}}`) : [])],
    }
  if (kind === 'unit') return { include: tests('*'), exclude: tests(`*.{${names.join(',')}}`) }
  if (isRest) return { include: tests(`*.${kind}`), exclude: EVERY_CASE }
  return { include: tests(`*.${kind}`), exclude: tests(`*.slow.${kind}`) }
}

/** Vitest starts one worker on two cores; most tests wait for sockets, so a second one halves the time. */
const WORKERS = 2

/**
 * Kinds whose tests wait for other programs need more workers to keep both cores busy, and come after those that do not. In CI a program
 * that a kind needs must be there.
 */
const runKind: Plugin = {
  name: 'run-kind',
  configureVitest({ project }) {
    const kind = project.name as TestKind
    if (process.env.CI && missingFor(kind).length > 0)
      throw new Error(
        `Tests of the kind "${kind}" need ${missingFor(kind).join(', ')}, which .ci/run installs.`,
      )
    if (QUICK.includes(kind)) return
    const [groupOrder, maxWorkers] = kind === 'browser' ? [1, WORKERS + 1] : [2, 2 * WORKERS]
    project.config.maxWorkers = maxWorkers
    // Set here, since an option of the command line such as `--sequence.shuffle` replaces `sequence` of each project.
    project.config.sequence = { ...project.config.sequence, groupOrder }
  },
}

export default defineConfig({
  // Tests read every package's sources, never a stale dist. Other packages are found as Node finds them: what the condition `module`
  // names in @opentelemetry/api 1.9 only a bundler can load.
  ssr: { resolve: { conditions: [sourceCondition, 'node', 'development|production'] } },
  test: {
    // Vitest runs the others by name: unit tests, the shortest, come last and keep all workers busy to the end.
    projects: names
      .filter((name) =>
        isMutation ? QUICK.includes(name) : !isRest || name === 'cases' || !QUICK.includes(name),
      )
      .map((name) => ({
        extends: true as const,
        plugins: [runKind],
        // Where tests share a worker, a module is evaluated once a worker instead of once a file.
        test: {
          name,
          ...filesOf(name),
          isolate: name === 'isolated',
          provide: { kind: name },
          ...(QUICK.includes(name)
            ? // ink, which they load, draws nothing in CI.
              { setupFiles: ['./test/support/no-sleep.ts'], env: { CI: 'false' } }
            : { globalSetup: ['./test/support/built-programs.ts'] }),
        },
      })),
    globalSetup: ['./test/support/scratch.ts'],
    // No test connects beyond this machine or starts a program that its kind does not name, and property tests use one seed.
    setupFiles: [
      './test/support/loopback-only.ts',
      './test/support/only-its-programs.ts',
      './test/support/property-seed.ts',
    ],
    pool: 'threads',
    // Sources that have not changed since the last run are not transformed again. The cache would return modules without mutants.
    experimental: { fsModuleCache: !isMutation },
    maxWorkers: WORKERS,
    // Concurrent tests of a file start programs, which must answer in time: more of them would wait for the two cores.
    maxConcurrency: WORKERS + 1,
    // Tests with more cases than usual take as long as they are asked to.
    testTimeout: isRest || process.env.FORMWIRE_PROPERTY_RUNS ? 3_600_000 : TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    expect: { requireAssertions: true, poll: { timeout: WAIT_MS } },
    reporters: [new LeftOut(isRest), 'default'],
    // A focused test passes nowhere: it would leave out the others.
    allowOnly: false,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.{ts,tsx}'],
      reporter: ['text-summary', 'html', 'json-summary'],
    },
  },
})
