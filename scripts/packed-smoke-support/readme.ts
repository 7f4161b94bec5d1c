import { dirname } from 'node:path'
import type { Tarballs } from '../project/tarballs.ts'
import { type Step, stepsOf } from '../tutorials/steps.ts'

/** The managers that README.md installs with, by the command that only their block has. */
const INSTALLS = { npm: 'npm install ', pnpm: 'pnpm add ', yarn: 'yarn add ' }

/** A package manager that README.md has a recipe for. */
export type ReadmeManager = keyof typeof INSTALLS

export const README_MANAGERS = Object.keys(INSTALLS) as ReadmeManager[]

/**
 * Returns what README.md has the user of one package manager do. What needs a clone is left out: the tarballs are already packed.
 * Afterwards a test whose assertion fails must end by itself.
 */
export function readmeSteps(readme: string, manager: ReadmeManager, tarballs: Tarballs): Step[] {
  const others = Object.entries(INSTALLS).filter(([name]) => name !== manager)
  const own = stepsOf(readme).filter(
    ({ kind, code }) =>
      kind === 'file' ||
      !(
        code.startsWith('npx -y pnpm@12 ') ||
        others.some(([, command]) => code.includes(`\n${command}`) || code.startsWith(command))
      ),
  )
  const packed = dirname(Object.values(tarballs)[0] as string)
  const prepare = `cp -r '${packed}' ~/formwire-tarballs
pnpm() { npx -y pnpm@12 "$@"; }
yarn() { npx -y yarn@1.22.22 "$@"; }
`
  const failing = `sed 's/\\[500, 200\\]/[500, 500]/' retry.test.mjs > failing.test.mjs
code=0; timeout 60 node --test failing.test.mjs || code=$?
[ "$code" -eq 1 ]
`
  return [
    { kind: 'commands', code: prepare, prints: null },
    ...own,
    { kind: 'commands', code: failing, prints: null },
  ]
}
