import { fileURLToPath } from 'node:url'
import { CHROMIUM } from '../../test/support/chromium.ts'
import { blocksOf } from '../docs/markdown.ts'
import { type Commands, type Step, stepsOf } from '../tutorials/steps.ts'

/** The pages whose sections are recipes, each from an empty folder to a result. */
const PAGES = ['how-to/frameworks.md', 'how-to/test-environments.md']

/** A section of a page that its reader can follow alone. */
export interface Recipe {
  name: string
  steps: Step[]
}

/** The browser of the machine: Playwright would download one. */
const USE_CHROMIUM: Step = { kind: 'commands', code: `export CHROMIUM='${CHROMIUM}'\n`, prints: null }

const cli = fileURLToPath(new URL('../../packages/cli/dist/bin.js', import.meta.url))

/** Returns the recipes of the pages. `pageOf` returns a page. */
export function recipes(pageOf: (path: string) => string): Recipe[] {
  return PAGES.flatMap((page) => {
    const sections = pageOf(page).split(/^(?=## )/m)
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
