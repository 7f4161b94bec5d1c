import { describe, expect, it } from 'vitest'
import type { RehearsalEnvironment, RehearsedProgram, Schedule } from '../../src/rehearsal/index.ts'
import { type RunOutcome, type RunSettings, runSchedule } from '../../src/rehearsal/run.ts'
import { listens } from './listens.ts'

const EVERY_MS = 300

/** Runs a program, and waits for up to 1.5 seconds for it to catch up. */
function run(
  program: RehearsedProgram,
  webhook: string | undefined,
  responses: Schedule['responses'],
): Promise<RunOutcome> {
  const settings: RunSettings = {
    program,
    clock: 'real',
    webhook,
    speed: 1000,
    expect: 'exactly-once',
    complete: undefined,
    deletions: false,
    signal: new AbortController().signal,
  }
  return runSchedule({ version: 1, responses, steps: [] }, settings, 1500)
}

/** Runs a program that reads the list now and then, and handles what `isHandled` selects. */
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
  return run(program, undefined, [{ at_ms: 0 }, { at_ms: 5 }])
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

it('ends the trace of a run with its verdict, also when a delivery is still open', async () => {
  let end = (_how: string): void => undefined
  const ended = new Promise<string>((resolve) => {
    end = resolve
  })
  const { trace } = await run(
    {
      async start({ port }) {
        const { kill } = await listens(port, async (request, response) => {
          const { event } = JSON.parse(Buffer.concat(await request.toArray()).toString())
          if (event === 'test.ping') response.writeHead(204).end()
          else end('exit code 1')
        })
        return { ended, kill }
      },
      handled: () => [],
    },
    '/hooks',
    [{ at_ms: 0 }, { at_ms: 2000 }],
  )
  expect(trace.at(-1)?.text).toBe('the program ended by itself: exit code 1')
})
