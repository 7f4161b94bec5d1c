import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { README_MANAGERS, readmeSteps } from '../../scripts/packed-smoke-support/readme.ts'
import { recipes } from '../../scripts/packed-smoke-support/recipes.ts'
import { TUTORIAL_MS } from '../../scripts/tutorials/run.ts'
import { patternOf, stepsOf } from '../../scripts/tutorials/steps.ts'
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

// Packed smoke follows these with the packed packages.
describe('what packed smoke follows', () => {
  const read = (path: string): string => readFileSync(join(folder, '..', path), 'utf8')

  it('has each section of two how-to pages that starts in an empty folder', () => {
    expect(recipes(read).map(({ name }) => name.replace(/^.*, /, ''))).toEqual([
      'NestJS',
      'NestJS controllers',
      'SvelteKit',
      'Astro',
      'Nitro and Nuxt',
      'h3',
      'Elysia',
      'hapi',
      'Playwright',
      'nock',
      'happy-dom and browser apps',
      'jsdom in Jest',
    ])
  })

  it.each(README_MANAGERS)('has README.md, with the commands of %s alone', (manager) => {
    const steps = readmeSteps(read('../README.md'), manager, { sdk: '/packed/formwire-sdk-0.0.0.tgz' })
    const text = steps.map(({ code }) => code).join('')
    const used = ['npm install ~', 'pnpm add ~', 'yarn add ~'].filter((command) => text.includes(command))
    expect(used.map((command) => command.split(' ')[0])).toEqual([manager])
    expect(text).not.toContain('npx -y pnpm@12 build')
    expect(steps.filter(({ kind }) => kind === 'file')).toHaveLength(3)
  })
})

describe('a tutorial that is wrong', () => {
  it('fails when a command fails, and shows what it printed', async () => {
    const steps = stepsOf(
      'Save this as `a.mjs`:\n\n```js\nthrow new Error("no")\n```\n\n```sh\nnode a.mjs\n```\n',
    )
    await expect(runFromSources(steps)).rejects.toThrow(/failed with 1:\n[\s\S]*Error: no/)
  })

  it('fails when a package was not installed', async () => {
    const steps = stepsOf('```sh\nnpm init --yes\nnpx formwire whoami\n```\n')
    await expect(runFromSources(steps)).rejects.toThrow('@formwire/cli is not installed')
  })

  it('fails when a program is left running', async () => {
    const steps = stepsOf('```sh\nsleep 1000 &\n```\n')
    await expect(runFromSources(steps, 100)).rejects.toThrow('the tutorial leaves a program running')
  })

  it('is found by a text that its commands do not print', async () => {
    const steps = stepsOf('```sh\necho one\necho two\n```\n\n```text\none\n```\n')
    const [step] = await runFromSources(steps)
    expect(step?.printed).toBe('one\ntwo\n')
    expect(step?.printed).not.toMatch(step?.expected as RegExp)
    expect(step?.printed).toMatch(patternOf('…\nt…o\n'))
  })

  it('is refused when code belongs to no step', () => {
    expect(() => stepsOf('```js\nrun()\n```\n')).toThrow('this code belongs to no step')
  })
})
