import { dirname } from 'node:path'
import type { Tarballs } from '../project/tarballs.ts'
import { type Step, stepsOf } from '../tutorials/steps.ts'

/** The managers that README.md and docs/index.md install with, by the command that only their block has. */
const INSTALLS = { npm: 'npm install ', pnpm: 'pnpm add ', yarn: 'yarn add ' }

/** A package manager that a page has a recipe for. */
export type ReadmeManager = keyof typeof INSTALLS

export const README_MANAGERS = Object.keys(INSTALLS) as ReadmeManager[]

/**
 * Returns what README.md has the user of one package manager do, with the install of docs/index.md if it is not npm. What needs a clone is
 * left out: the tarballs are already packed. Afterwards a test whose assertion fails must end by itself.
 */
export function readmeSteps(
  pages: { readme: string; index: string },
  manager: ReadmeManager,
  tarballs: Tarballs,
): Step[] {
  const installs = (step: Step, name: ReadmeManager): boolean =>
    step.kind === 'commands' && step.code.includes(`\n${INSTALLS[name]}$packed`)
  const install = stepsOf(pages.index).find((step) => installs(step, manager)) as Step
  const own = stepsOf(pages.readme)
    .filter(({ code }) => !code.startsWith('npx -y pnpm@12 '))
    .map((step) => (installs(step, 'npm') ? install : step))
  const packed = dirname(Object.values(tarballs)[0] as string)
  const prepare = `cp -r '${packed}' ~/formwire-tarballs
pnpm() { npx -y pnpm@12 "$@"; }
yarn() { npx -y yarn@1.22.22 "$@"; }
`
  const failing = `sed 's/\\[500, 200\\]/[500, 500]/' retry.test.mjs > failing.test.mjs
code=0; timeout 60 node --test failing.test.mjs || code=$?
[ "$code" -eq 1 ]
`
  // A second run must not find what the first one has left.
  const again = own.filter(({ kind, code }) => kind === 'commands' && code.includes('server.json'))
  return [
    { kind: 'commands', code: prepare, prints: null },
    ...own,
    ...again,
    { kind: 'commands', code: failing, prints: null },
  ]
}
