import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createVitest, type TestProject } from 'vitest/node'
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

/**
 * Returns every test of the workspace, and of the suites that several files share, whose title names a rule. Titles are read as the files
 * state them: one that is put together when the tests run is its source text.
 */
export async function collectTests(root: string): Promise<NamedTest[]> {
  const vitest = await createVitest('test', { root, watch: false, coverage: { enabled: false } })
  try {
    const [project] = vitest.projects
    const files = ['test', 'packages', 'examples']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
          join(root, folder, file),
        ),
      )
      .filter((file) => /\/test\/.*\.tsx?$/.test(file) && !file.includes('/node_modules/'))
      .filter((file) => /^\s*(?:it|test)(?:\.\w+)*[(<]/m.test(readFileSync(file, 'utf8')))
    const parsed = await vitest.experimental_parseSpecifications(
      files.map((file) => (project as TestProject).createSpecification(file)),
    )
    return parsed.flatMap((module) => {
      const [error] = module.errors()
      // A module beside the tests may only look like a suite.
      if (error && /\.test\.tsx?$/.test(module.moduleId))
        throw new Error(`${module.moduleId} cannot be read: ${error.message}`)
      return [...module.children.allTests()].flatMap((test): NamedTest[] => {
        const { rules, text, unreadable } = readTitle(test.fullName)
        if (rules.length === 0 && unreadable.length === 0) return []
        const { mode = 'run' } = test.options
        const file = relative(root, module.moduleId)
        return [{ rules, title: text, unreadable, file, skipped: mode === 'skip' || mode === 'todo' }]
      })
    })
  } finally {
    await vitest.close()
  }
}
