import { readFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import { runScenario, type Transport } from '../src/scenario.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/** Removes ports and times. */
const varying = (text: string): string => text.replace(/(?<=127\.0\.0\.1:)\d+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')

describe('the end-to-end scenario', () => {
  // Each waits for a delivery that times out.
  it.concurrent.for<Transport>(['socket', 'in process'])(
    '[DLV-01] [DLV-06] [POLL-01] [FORM-07] [RESP-04] [FORM-12] passes from the public link to the closed form (%s)',
    async (transport, { expect }) => {
      const steps: string[] = []
      const seen: string[] = []
      await runScenario(transport, {
        step: (title) => {
          steps.push(title)
          seen.push(`\n${steps.length}. ${title}`)
        },
        note: (line) => seen.push(`   ${line}`),
      })
      expect(steps).toHaveLength(9)
      expect(seen.filter((line) => line.trim().startsWith('✓'))).toHaveLength(15)
      const [, shown = ''] = /pnpm@12 tour\n([\s\S]*?)…\n/.exec(readme) ?? []
      expect(shown.split('\n').length).toBeGreaterThan(15)
      expect(`${varying(seen.join('\n'))}\n`).toContain(varying(shown))
    },
  )
})
