import { join, relative } from 'node:path'
import { defineConfig, mergeConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import config from '../../vitest.config.ts'
import { readWork } from './work.ts'

/** The unit tests of some files, over instrumented sources, in one worker that shares its modules. */
const work = readWork()
const { projects: _, reporters: __, ...test } = config.test ?? {}

/** With a mutant, a test may wait for what never happens: it waits long enough for what happens at once. */
const PATIENCE = `export const WAIT_MS = 2_000
export const PATIENT = { timeoutMs: WAIT_MS }
export const TEST_TIMEOUT_MS = 20_000
`

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = new Map(work.tests.map((file, index) => [join(work.root, file), index]))
    return files.toSorted((a, b) => (order.get(a.moduleId) ?? 0) - (order.get(b.moduleId) ?? 0))
  }
}

export default mergeConfig(
  { ...config, test: { ...test, setupFiles: undefined } },
  defineConfig({
    root: work.root,
    plugins: [
      {
        name: 'formwire:instrumented',
        enforce: 'pre',
        load(id) {
          const file = relative(work.root, id)
          return file === 'test/support/patience.ts' ? PATIENCE : work.sources[file]
        },
      },
    ],
    test: {
      include: work.tests,
      setupFiles: [
        ...(work.static ? ['./scripts/mutation/activate.ts'] : []),
        './test/support/loopback-only.ts',
        './test/support/property-seed.ts',
      ],
      ...(work.static ? {} : { runner: './scripts/mutation/vitest-runner.ts' }),
      isolate: work.isolate,
      maxWorkers: 1,
      maxConcurrency: 1,
      fileParallelism: false,
      sequence: { sequencer: InOrder },
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { requireAssertions: true, poll: { timeout: 2_000 } },
      reporters: [],
      watch: false,
      // The cache would return modules of a run without mutants, or with others: its key is the text of the file.
      experimental: { fsModuleCache: false },
    },
  }),
)
