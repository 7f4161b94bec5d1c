import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RehearsalFailure, RehearsalReport } from '@formwire/reference-server/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { runCli } from '../support/run-cli.ts'

const rehearse = vi.hoisted(() => vi.fn())
vi.mock('@formwire/reference-server/testing', () => ({ rehearse }))

const SCHEDULE = { version: 1, responses: [{ at_ms: 0 }], steps: [] } as const
const FAILURE: RehearsalFailure = {
  verdict: 'handled_twice',
  responseIds: [1],
  detail: null,
  likely: 'does not deduplicate',
  rate: 1,
  plays: 3,
  steps: [
    { at_ms: 0, kind: 'submit', text: 'response 1 is submitted' },
    { at_ms: 12, kind: 'end', text: 'response 1 was handled more than once' },
  ],
  schedule: SCHEDULE,
}
const REPORT = (reproduce: string) =>
  `FAIL run 3 of 20 · handled response 1 more than once

1.  0 ms  response 1 is submitted
2. 12 ms  response 1 was handled more than once

Likely cause: does not deduplicate
Reproduce: formwire rehearse ${reproduce}
`

const SCHEDULE_FILE = join(temporaryDirectory(), 'schedule.json')
writeFileSync(SCHEDULE_FILE, JSON.stringify(SCHEDULE))

const PROGRAM = ['--', process.execPath, '--api-key=hunter2']

let report: RehearsalReport
beforeEach(() => {
  report = { seed: 5, runs: 3, passed: 2, failed: 1, flaky: 0, failure: FAILURE }
  rehearse.mockReset().mockImplementation(async () => report)
})

/** Rehearses with `--handled`, unless the options say otherwise. */
const run = (options: readonly string[] = [], terminal?: number) =>
  runCli(['rehearse', '--handled', 'true', ...options, ...PROGRAM], {
    env: { PATH: process.env.PATH },
    ...(terminal !== undefined && { terminal, errorTerminal: true }),
  })

describe('the report of formwire rehearse', () => {
  it('passes the options on', async () => {
    await run('--webhook /hooks --complete --deletions --time 2s --speed 10 --seed 7'.split(' '))
    expect(rehearse.mock.lastCall?.[0]).toMatchObject({
      webhook: '/hooks',
      complete: true,
      deletions: true,
      timeMs: 2000,
      runs: 1_000_000,
      speed: 10,
      seed: 7,
      clock: 'real',
    })
  })

  it('shows how a run failed, why, and how to reproduce it', async () => {
    const { code, stdout, stderr } = await run()
    expect([code, stdout, stderr]).toEqual([
      1,
      REPORT('--seed 5 --save failing.json …, then --schedule failing.json'),
      '3 runs (seed 5): 2 passed, 1 failed\n',
    ])
  })

  it.each([
    [null, 6, ['FAIL run 3 of 20 · not reachable: it is not there', 'Likely cause: does not deduplicate']],
    ['no table', 1, ['FAIL run 3 of 20 · not reachable: it is not there']],
  ])(
    'prints of a program that is not reachable only why, with the detail %s, exit %i',
    async (detail, code, lines) => {
      report = {
        ...report,
        failure: {
          ...FAILURE,
          verdict: 'not_reachable',
          detail,
          responseIds: [],
          steps: [{ at_ms: 0, kind: 'end', text: 'it is not there' }],
        },
      }
      const result = await run()
      expect([result.code, result.stdout.trimEnd().split('\n')]).toEqual([code, lines])
    },
  )

  it('prints 20 steps, and how many more there are', async () => {
    const steps = Array.from(
      { length: 25 },
      (_, at) => ({ at_ms: at, kind: 'submit', text: `step ${at}` }) as const,
    )
    report = { ...report, failure: { ...FAILURE, steps } }
    const lines = (await run()).stdout.trimEnd().split('\n')
    expect(lines.slice(21, 23)).toEqual(['20. 19 ms  step 19', '… 5 more: --json shows all'])
    expect(JSON.parse((await run(['--json'])).stdout).failure.steps).toHaveLength(25)
  })

  it('names the file of a schedule that it has saved', async () => {
    const file = join(temporaryDirectory(), 'found.json')
    expect((await run(['--save', file])).stdout).toBe(REPORT(`--schedule ${file} …`))
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(SCHEDULE)
  })

  it('tells of flaky runs how often the schedule failed, exit 1', async () => {
    report = { ...report, runs: 20, passed: 18, failed: 0, flaky: 2, failure: { ...FAILURE, rate: 2 / 3 } }
    const { code, stdout, stderr } = await run()
    expect([code, stdout.split('\n')[0], stderr]).toEqual([
      1,
      'FAIL 2 of 20 runs, in 2 of 3 plays · handled response 1 more than once',
      '20 runs (seed 5): 18 passed, 2 failed\n',
    ])
  })

  it.each([
    ['a flaky schedule', 1 / 3, 3, 'lost', '1 of 3'],
    ['one that breaks each time', 1, 3, 'lost', '3 of 3'],
    ['a program that never listens', 1, 1, 'not_reachable', '1 of 1'],
  ] as const)('has the rate of %s in its JSON', async (_what, fraction, plays, verdict, rate) => {
    report = { ...report, failure: { ...FAILURE, rate: fraction, plays, verdict } }
    const { stdout } = await run(['--json'])
    expect(JSON.parse(stdout)).toEqual({
      seed: 5,
      runs: 3,
      passed: 2,
      failed: 1,
      flaky: 0,
      failure: {
        verdict,
        response_ids: [1],
        likely: 'does not deduplicate',
        rate,
        steps: FAILURE.steps,
        schedule: SCHEDULE,
      },
    })
  })

  it.each([
    ['--save', '--junit'],
    ['--junit', '--save'],
  ])('prints the report before it fails to write %s, and still writes %s', async (option, other) => {
    const folder = join(temporaryDirectory(), 'gone')
    mkdirSync(folder)
    rehearse.mockImplementation(async () => {
      rmdirSync(folder)
      return report
    })
    const written = join(temporaryDirectory(), 'written')
    const { code, stdout, stderr } = await run([option, join(folder, 'report'), other, written])
    expect([code, stdout, stderr]).toEqual([
      1,
      expect.stringContaining('\nLikely cause: does not deduplicate\n'),
      expect.stringContaining(folder),
    ])
    expect(existsSync(written)).toBe(true)
  })

  it('names the program in its JUnit report without its arguments', async () => {
    const file = join(temporaryDirectory(), 'report.xml')
    await run(['--junit', file])
    const xml = readFileSync(file, 'utf8')
    expect(xml).toContain('<testsuite name="rehearse node" tests="1" failures="1"')
    expect(xml).toContain('name="3 runs, seed 5"')
    expect(xml).not.toContain('hunter2')
  })

  it.each([
    ['response 1', [1]],
    ['response 1 and 2 more', [1, 4, 5]],
  ])('names %s', async (named, responseIds) => {
    report = { ...report, failure: { ...FAILURE, verdict: 'lost', responseIds } }
    expect((await run(['--schedule', SCHEDULE_FILE])).stdout).toMatch(
      new RegExp(`^FAIL run 3 of 3 · lost ${named}\n[^]*\nLikely cause: does not deduplicate\n$`),
    )
  })

  it('prints how far it is every 10 s on a pipe', async () => {
    const slept: number[] = []
    let printed: () => void = () => undefined
    const isPrinted = new Promise<void>((resolve) => {
      printed = resolve
    })
    rehearse.mockImplementation(async ({ onProgress }) => {
      onProgress({ phase: 'shrinking', passed: 2, flaky: 0, runs: 20, tries: { done: 12, about: 60 } })
      await isPrinted
      return report
    })
    const { stderr } = await runCli(['rehearse', '--handled', 'true', ...PROGRAM], {
      env: { PATH: process.env.PATH },
      onSleep: (ms) => (slept.push(ms) === 1 ? Promise.resolve() : new Promise(() => undefined)),
      onStderr: () => printed(),
    })
    expect([slept[0], stderr.split('\n')[0]]).toEqual([
      10_000,
      'run failed: minimizing (12 of about 60 tries)',
    ])
  })

  it('shows untrusted texts without control characters', async () => {
    const text = 'what was handled could not be read: \u001b]0;owned\u0007no table\u202e'
    const steps = [{ at_ms: 0, kind: 'end', text }] as const
    report = { ...report, failure: { ...FAILURE, verdict: 'lost', likely: text, steps } }
    const { stdout } = await run()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(stdout).toContain('no table')
  })
})
