import { defineConfig, type Plugin } from 'vitest/config'
import { testFiles } from './test/support/kinds.ts'
import { TEST_TIMEOUT_MS, WAIT_MS } from './test/support/patience.ts'

const sourceCondition = '@formwire/source'
const thorough = process.env.FORMWIRE_TESTS === 'thorough'

/** Vitest starts one worker on two cores; most tests wait for sockets, so a second one halves the time. */
const WORKERS = 2

/**
 * Process tests mostly wait for other programs. They come last, where a long one delays no other kind. Set here, since an option of
 * the command line such as `--sequence.shuffle` replaces `sequence` of each project.
 */
const moreWorkersAtTheEnd: Plugin = {
  name: 'more-workers-at-the-end',
  configureVitest({ project }) {
    project.config.maxWorkers = 2 * WORKERS
    project.config.sequence = { ...project.config.sequence, groupOrder: 1 }
  },
}

export default defineConfig({
  // Tests read every package's sources, never a stale dist. Other packages are found as Node finds them: what the condition `module`
  // names in @opentelemetry/api 1.9 only a bundler can load.
  ssr: { resolve: { conditions: [sourceCondition, 'node', 'development|production'] } },
  test: {
    // Vitest runs the others by name: unit tests, the shortest, come last and keep all workers busy to the end.
    projects: Object.entries(testFiles(thorough)).map(([name, include]) => ({
      extends: true as const,
      plugins: name === 'process' ? [moreWorkersAtTheEnd] : [],
      // Where tests share a worker, a module is evaluated once a worker instead of once a file.
      test: {
        name,
        include,
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
    // A focused test passes nowhere: it would leave out the others.
    allowOnly: false,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.{ts,tsx}'],
      reporter: ['text-summary', 'html', 'json-summary'],
    },
  },
})
