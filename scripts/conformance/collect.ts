import { relative } from 'node:path'
import { createVitest } from 'vitest/node'
import { readTitle } from './title.ts'

/** A test whose title names rules. */
export interface NamedTest {
  readonly rules: readonly string[]
  /** Full title, without the rule ids. */
  readonly title: string
  /** Brackets in the title that seem to name rules but cannot be read. */
  readonly unreadable: readonly string[]
  /** Relative to the root. */
  readonly file: string
  readonly skipped: boolean
}

/** Returns every test of the workspace whose title names a rule. Loads the files without running the tests. */
export async function collectTests(root: string): Promise<NamedTest[]> {
  const vitest = await createVitest('test', {
    root,
    watch: false,
    coverage: { enabled: false },
    // No test runs, so the files can share what they import: it halves the time.
    isolate: false,
  })
  try {
    const { testModules, unhandledErrors } = await vitest.collect()
    if (unhandledErrors.length > 0) throw new AggregateError(unhandledErrors, 'tests cannot be collected')
    const tests: NamedTest[] = []
    for (const module of testModules) {
      const [error] = module.errors()
      if (error) throw new Error(`${module.moduleId} cannot be loaded: ${error.message}`)
      for (const test of module.children.allTests()) {
        const { rules, text, unreadable } = readTitle(test.fullName)
        if (rules.length === 0 && unreadable.length === 0) continue
        tests.push({
          rules,
          title: text,
          unreadable,
          file: relative(root, module.moduleId),
          skipped: test.options.mode === 'skip' || test.options.mode === 'todo',
        })
      }
    }
    return tests
  } finally {
    await vitest.close()
  }
}
