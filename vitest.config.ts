import { defineConfig } from 'vitest/config'

const sourceCondition = '@formwire/source'

export default defineConfig({
  // Tests read every package's sources, never a stale dist.
  ssr: { resolve: { conditions: [sourceCondition, 'module', 'node', 'development|production'] } },
  test: {
    include: [
      'packages/*/test/**/*.test.{ts,tsx}',
      'examples/*/test/**/*.test.{ts,tsx}',
      'bench/test/**/*.test.ts',
      'test/**/*.test.{ts,tsx}',
    ],
    // No test connects beyond this machine, and property tests use one seed.
    setupFiles: ['./test/support/loopback-only.ts', './test/support/property-seed.ts'],
    pool: 'threads',
    // Vitest starts one worker on two cores; most tests wait for sockets, so a second one halves the time.
    maxWorkers: 2,
    // Property tests with more cases than CI runs take as long as they are asked to.
    testTimeout: process.env.FORMWIRE_PROPERTY_RUNS ? 3_600_000 : 20_000,
    hookTimeout: 20_000,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.{ts,tsx}'],
      reporter: ['text-summary', 'html', 'json-summary'],
    },
  },
})
