import { mergeConfig } from 'vitest/config'
import { testFiles } from '../../test/support/kinds.ts'
import config from '../../vitest.config.ts'

/**
 * For Stryker: one project with the unit tests, or with those of some folders. A mutant that waits for nothing must not wait
 * a minute.
 */
const { projects: _, ...test } = config.test ?? {}
const folders = (process.env.FORMWIRE_MUTATION_TESTS ?? '').split(',')

export default mergeConfig(
  { ...config, test },
  {
    test: {
      include: testFiles().unit.filter((file) => folders.some((folder) => file.startsWith(folder))),
      testTimeout: 20_000,
      hookTimeout: 20_000,
    },
  },
)
