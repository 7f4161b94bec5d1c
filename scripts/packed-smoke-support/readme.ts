import { dirname } from 'node:path'
import { read } from '../project/project.ts'
import type { Tarballs } from '../project/tarballs.ts'
import { type Step, stepsOf } from '../tutorials/steps.ts'

/**
 * Returns what README.md has a user of npm do. What needs a clone is left out: the tarballs are already packed. Afterwards a test whose
 * assertion fails must end by itself.
 */
export function readmeSteps(tarballs: Tarballs): Step[] {
  const own = stepsOf(read('README.md')).filter(
    (step) => step.kind === 'shows' || !step.code.startsWith('npx -y pnpm@12 '),
  )
  const packed = dirname(Object.values(tarballs)[0] as string)
  const failing = `sed 's/\\[500, 200\\]/[500, 500]/' retry.test.mjs > failing.test.mjs
code=0; timeout 60 node --test failing.test.mjs || code=$?
[ "$code" -eq 1 ]
`
  return [
    { kind: 'commands', code: `cp -r '${packed}' ~/formwire-tarballs\n`, prints: null },
    ...own,
    { kind: 'commands', code: failing, prints: null },
  ]
}
