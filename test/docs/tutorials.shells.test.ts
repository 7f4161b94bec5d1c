import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { TUTORIAL_MS } from '../../scripts/tutorials/run.ts'
import { stepsOf } from '../../scripts/tutorials/steps.ts'
import { runFromSources } from './tutorial.ts'

const folder = fileURLToPath(new URL('../../docs/tutorials/', import.meta.url))
/** Its own test runs it with pytest and Go. */
const OTHER_LANGUAGES = 'any-language.md'
const tutorials = readdirSync(folder)
  .filter((name) => name !== OTHER_LANGUAGES)
  .sort()

describe('a tutorial', () => {
  // Packed smoke follows all of them, with the packed packages: here two show that they run from the sources, too.
  it.each([tutorials[0] as string, 'reproduce-a-bug.md'])(
    '%s goes through, and its commands print what the page shows',
    async (name) => {
      const steps = stepsOf(readFileSync(folder + name, 'utf8'))
      expect(steps.length).toBeGreaterThan(3)
      for (const { commands, expected, printed } of await runFromSources(steps)) {
        expect(printed, commands).toMatch(expected)
      }
    },
    TUTORIAL_MS + 60_000,
  )
})
