import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createVitest, type TestProject } from 'vitest/node'

/** `[AUTH-01]`, or several: `[AUTH-01] [AUTH-03]`, `[AUTH-01, AUTH-03]`. */
const IDS = /\[([A-Z]+-\d+(?:, [A-Z]+-\d+)*)\]/g

/** A test whose title names rules. */
export interface NamedTest {
  readonly rules: readonly string[]
  /** Full title, without the rule ids. */
  readonly title: string
  /** Relative to the root. */
  readonly file: string
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
        const rules = [...test.fullName.matchAll(IDS)].flatMap(([, ids = '']) => ids.split(', '))
        const title = test.fullName
          .replace(IDS, '')
          .replace(/\s+/g, ' ')
          .replace(/^> |> $/g, '')
          .trim()
        return rules.length === 0 ? [] : [{ rules, title, file: relative(root, module.moduleId) }]
      })
    })
  } finally {
    await vitest.close()
  }
}
