import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import type { RehearsalEnvironment } from '../../src/rehearsal/index.ts'
import { type RunSettings, runSchedule } from '../../src/rehearsal/run.ts'

const EVERY_MS = 300

/** Runs a program that reads the list now and then, and handles what `isHandled` selects. Waits for up to 1.5 seconds for the rest. */
function runPoller(isHandled: (id: number) => boolean) {
  const handled = new Set<number>()
  const follow = async ({ baseUrl, apiKey, formId, clock }: RehearsalEnvironment, signal: AbortSignal) => {
    for (; ; await clock.sleep(EVERY_MS, signal)) {
      const url = `${baseUrl}/api/v1/forms/${formId}/responses`
      const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } })
      const { data } = (await response.json()) as { data: { id: number }[] }
      for (const { id } of data) if (isHandled(id)) handled.add(id)
    }
  }
  const program = {
    start(environment: RehearsalEnvironment) {
      const end = new AbortController()
      follow(environment, end.signal).catch(() => undefined)
      return { kill: () => end.abort() }
    },
    handled: () => handled,
  }
  const settings: RunSettings = {
    program,
    clock: 'real',
    webhook: undefined,
    speed: 1000,
    expect: 'exactly-once',
    complete: undefined,
    deletions: false,
    signal: new AbortController().signal,
    createDirectory: async () => ({ path: temporaryDirectory(), remove: async () => undefined }),
  }
  return runSchedule({ version: 1, responses: [{ at_ms: 0 }, { at_ms: 5 }], steps: [] }, settings, 1500)
}

describe('how slow a program is', () => {
  it('is seen in a run in which it has lost something', async () => {
    const { verdict, caughtUpMs } = await runPoller((id) => id !== 2)
    expect(verdict).toEqual({ kind: 'lost', responseIds: [2] })
    expect(caughtUpMs).toBeGreaterThanOrEqual(EVERY_MS)
    expect(caughtUpMs).toBeLessThan(Number.POSITIVE_INFINITY)
  })

  it('is unknown when it has handled nothing', async () => {
    const { verdict, caughtUpMs } = await runPoller(() => false)
    expect(verdict).toEqual({ kind: 'lost', responseIds: [1, 2] })
    expect(caughtUpMs).toBe(Number.POSITIVE_INFINITY)
  })
})
