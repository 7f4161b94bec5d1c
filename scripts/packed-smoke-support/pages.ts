import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CHROMIUM } from '../../test/support/chromium.ts'
import { blocksOf } from '../docs/markdown.ts'
import { read, root } from '../project/project.ts'
import type { Tarballs } from '../project/tarballs.ts'
import { type Commands, type Step, stepsOf } from '../tutorials/steps.ts'

/** What the reader of a page, or of a part of one, does from an empty folder on. */
export interface Recipe {
  name: string
  steps: Step[]
}

const recipeOf = (name: string): Recipe => ({ name, steps: stepsOf(read(name)) })

/** Returns the tutorials. What another language shows has tests of its own. */
export const tutorials = (): Recipe[] =>
  readdirSync(`${root}docs/tutorials`)
    .filter((file) => file !== 'any-language.md')
    .map((file) => recipeOf(`docs/tutorials/${file}`))

/** Returns the skills. */
export const skills = (): Recipe[] =>
  readdirSync(`${root}skills`).map((name) => recipeOf(`skills/${name}/SKILL.md`))

/**
 * Returns what README.md has a user of npm do. What needs a clone is left out: the tarballs are already packed. Afterwards a test whose
 * assertion fails must end by itself.
 */
export function readme(tarballs: Tarballs): Recipe {
  const { name, steps } = recipeOf('README.md')
  const own = steps.filter((step) => step.kind === 'shows' || !step.code.startsWith('npx -y pnpm@12 '))
  const packed = dirname(Object.values(tarballs)[0] as string)
  const failing = `sed 's/\\[500, 200\\]/[500, 500]/' retry.test.mjs > failing.test.mjs
code=0; timeout 60 node --test failing.test.mjs || code=$?
[ "$code" -eq 1 ]
`
  return {
    name,
    steps: [
      { kind: 'commands', code: `cp -r '${packed}' ~/formwire-tarballs\n`, prints: null },
      ...own,
      { kind: 'commands', code: failing, prints: null },
    ],
  }
}

/** The pages whose sections are recipes, each from an empty folder to a result. */
const PAGES = ['docs/how-to/frameworks.md', 'docs/how-to/test-environments.md']

/** The browser of the machine: Playwright would download one. */
const USE_CHROMIUM: Step = { kind: 'commands', code: `export CHROMIUM='${CHROMIUM}'\n`, prints: null }

const cli = fileURLToPath(new URL('../../packages/cli/dist/bin.js', import.meta.url))

/** Returns the recipes of the pages. */
export function recipes(): Recipe[] {
  return PAGES.flatMap((page) => {
    const sections = read(page).split(/^(?=## )/m)
    const check = sections.flatMap(blocksOf).find(({ code }) => code.includes('receiver check'))?.code
    return sections
      .filter((section) => section.includes('npm init'))
      .map((section) => {
        const steps = stepsOf(section)
        const title = /^## (.*)/.exec(section)?.[1]
        const own = check === undefined ? steps : withCheck(steps, check)
        return { name: `${page}, ${title}`, steps: [USE_CHROMIUM, ...own] }
      })
  })
}

/** The last commands start a server in the foreground; the page has another terminal for the check. */
function withCheck(steps: Step[], check: string): Step[] {
  const start = steps.at(-1) as Commands
  const code = `export FORMWIRE_WEBHOOK_SECRET=whsec_of_the_recipe
${start.code.trimEnd()} &
timeout 60 bash -c 'until (: < /dev/tcp/127.0.0.1/3000) 2> /dev/null; do sleep 0.1; done'
${check.replace('npx formwire', `'${process.execPath}' '${cli}'`)}kill %1
`
  return [...steps.slice(0, -1), { kind: 'commands', code, prints: null }]
}
