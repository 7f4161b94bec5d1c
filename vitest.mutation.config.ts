import { defineConfig } from 'vitest/config'
import config, { filesOf } from './vitest.config.ts'

const { projects: _, reporters: __, globalSetup: ___, ...test } = config.test ?? {}

/** The unit tests of the packages that Stryker mutates, in one project: other kinds take too long to run once per mutant. */
export default defineConfig({
  ...config,
  test: {
    ...test,
    include: ['packages/{webhook-verify,sdk,reference-server}/test/**/*.test.ts'],
    exclude: filesOf('unit').exclude,
    // The cache would return modules without mutants.
    experimental: { fsModuleCache: false },
  },
})
