import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs'
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
const STORY = [
  '✗ handled twice: response 1 was handled more than once',
  '  This looks like: does not deduplicate',
  '',
  '1.  0 ms  response 1 is submitted',
  '2. 12 ms  response 1 was handled more than once',
  '',
].join('\n')

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

  it('tells how to play a story again', async () => {
    const { code, stdout, stderr } = await run()
    expect([code, stdout, stderr]).toEqual([
      1,
      STORY,
      'run 3 broke (seed 5); 2 passed\n' +
        'to play the story again, keep it with --save story.json --seed 5, then pass --schedule story.json\n',
    ])
  })

  it.each([
    [
      null,
      6,
      ['✗ not reachable: response 1 was handled more than once', '  This looks like: does not deduplicate'],
    ],
    ['no table', 1, ['✗ not reachable: response 1 was handled more than once']],
  ])(
    'prints of a program that is not reachable only why, with the detail %s, exit %i',
    async (detail, code, lines) => {
      report = { ...report, failure: { ...FAILURE, verdict: 'not_reachable', detail } }
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
    expect(lines.slice(-2)).toEqual(['20. 19 ms  step 19', '… 5 more: --json shows all'])
    expect(JSON.parse((await run(['--json'])).stdout).failure.steps).toHaveLength(25)
  })

  it('names the file of a story that it has saved', async () => {
    const file = join(temporaryDirectory(), 'found.json')
    const { stderr } = await run(['--save', file])
    expect(stderr).toBe(`run 3 broke (seed 5); 2 passed\nto play the story again, pass --schedule ${file}\n`)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(SCHEDULE)
  })

  it('tells of flaky runs how often the story broke, exit 1', async () => {
    report = { ...report, runs: 20, passed: 18, failed: 0, flaky: 2, failure: { ...FAILURE, rate: 2 / 3 } }
    const { code, stderr } = await run()
    expect([code, stderr.split('\n')[0]]).toEqual([
      1,
      '2 runs of 20 broke, but not each time: this one in 2 of 3 plays (seed 5); 18 passed',
    ])
  })

  it.each([
    ['a flaky story', 1 / 3, 3, 'lost', '1 of 3'],
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
  ])('prints the story before it fails to write %s, and still writes %s', async (option, other) => {
    const folder = join(temporaryDirectory(), 'gone')
    mkdirSync(folder)
    rehearse.mockImplementation(async () => {
      rmdirSync(folder)
      return report
    })
    const written = join(temporaryDirectory(), 'written')
    const { code, stdout, stderr } = await run([option, join(folder, 'report'), other, written])
    expect([code, stdout, stderr]).toEqual([1, STORY, expect.stringContaining(folder)])
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
