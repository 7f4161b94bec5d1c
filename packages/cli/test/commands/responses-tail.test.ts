import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { rowsOf, runCli, valuesOf } from '../support/run-cli.ts'
import { type Service, SURVEY, testService } from '../support/service.ts'

let service: Service
beforeEach(async () => {
  service = await testService()
})

const cli = (argv: string[], terminal?: number) =>
  runCli(argv, { env: { ...service.env, NO_COLOR: '1' }, ...(terminal === undefined ? {} : { terminal }) })

describe('[POLL-01] formwire responses tail', () => {
  const add = (name: string) =>
    service.server.app.responses.create(SURVEY, { answers: [{ question_id: 'name', value: name }] })
  /** Runs a tail until it has printed `count` lines, adding a response after each. */
  const tail = async (argv: string[], count: number, names: string[]) => {
    const queue = [...names]
    const requests = (): number => service.server.app.requests.list().length
    const before = requests()
    const waiting = setInterval(() => {
      // The first request of the tail finds its start.
      if (requests() < before + 2) return
      const name = queue.shift()
      if (name) add(name)
    }, 60)
    const always = ['responses', 'tail', SURVEY, '--interval', '20ms', '--count', String(count)]
    const result = await cli([...always, ...argv])
    clearInterval(waiting)
    return result
  }

  it('starts now, independent of clocks, and prints oldest first', async () => {
    const { stdout, code, stderr } = await tail([], 2, ['Di', 'Ed'])
    expect(stdout.split('\n').map((line) => line.split('\t').at(-1))).toEqual(['Di', 'Ed', ''])
    expect([code, stderr]).toEqual([0, 'waiting for responses (Ctrl-C to stop)\n'])
  })
  it('prints lines on a terminal below a head, in columns that no response moves', async () => {
    add('A name that is far too long for what is left of this line of the terminal')
    const argv = ['responses', 'tail', SURVEY, '--since', '2026-11-21', '--count', '3']
    expect((await cli(argv, 80)).stdout).toBe(
      `SUBMITTED                   ID  EMAIL                      SCORE  ANSWERS
2026-11-21T09:00:00Z         1  bo@example.com                    Bo · 4
2026-11-21T11:30:00Z         2                                    5 · Fast, "ki…
2026-11-21T12:00:00Z         4                                    A name that i…
`,
    )
    expect((await cli(argv, 50)).stdout.split('\n').slice(0, 2)).toEqual([
      'SUBMITTED                   ID  ANSWERS',
      '2026-11-21T09:00:00Z         1  Bo · 4',
    ])
    expect((await cli(argv)).stdout.split('\n')[1]).toBe(
      '2\t2026-11-21T11:30:00.000Z\tsubmitted\t\t\t5 · Fast, "kind"',
    )
  })
  it('--since starts earlier; --json prints NDJSON', async () => {
    const { stdout, stderr } = await tail(['--since', '2026-11-21', '--json'], 3, ['Di'])
    expect(valuesOf(stdout).map(({ id }) => id)).toEqual([1, 2, 4])
    expect(stderr).toBe('')
  })
  it('prints the first response of an empty form', async () => {
    service.server.app.responses.delete(SURVEY, 1)
    service.server.app.responses.delete(SURVEY, 2)
    expect((await tail([], 1, ['First'])).stdout).toContain('First')
  })
  it.each(['file', 'directory'])(
    '[POLL-02] --checkpoint resumes from a %s where the last run stopped',
    async (kind) => {
      const parent = temporaryDirectory()
      const path = kind === 'file' ? join(parent, 'seen') : parent
      const names = ({ stdout }: { stdout: string }) => rowsOf(stdout).map((row) => row.at(-1))
      expect(names(await tail(['--checkpoint', path], 2, ['Di', 'Ed']))).toEqual(['Di', 'Ed'])
      add('Fay')
      // The aborted poll removes its lock within a second, or later in the background.
      await expect.poll(() => readdirSync(parent).filter((name) => name.endsWith('.lock'))).toEqual([])
      expect(names(await tail(['--checkpoint', path], 2, ['Gus']))).toEqual(['Fay', 'Gus'])
    },
  )
  it('follows several forms, with the form id first', async () => {
    const { id: other } = service.server.app.forms.create({
      title: 'Other',
      questions: [{ id: 'name', type: 'short_text', title: 'Name' }],
    })
    service.server.app.forms.publish(other)
    service.server.app.responses.create(other, { answers: [{ question_id: 'name', value: 'Gus' }] })
    const args = ['responses', 'tail', SURVEY, other, '--since', '1d', '--interval', '20ms', '--count', '3']
    const { code, stdout } = await cli(args)
    expect(code).toBe(0)
    expect(
      rowsOf(stdout)
        .map(([form, id]) => `${form} ${id}`)
        .sort(),
    ).toEqual([`${SURVEY} 1`, `${SURVEY} 2`, `${other} 4`].sort())
  })
  const quickTail = (argv: string[]) =>
    runCli(['responses', 'tail', SURVEY, ...argv], {
      env: { ...service.env, NO_COLOR: '1' },
      retriesAtOnce: true,
    })
  it('[RATE-01] waits as often as it is rate limited', async () => {
    service.server.app.faults.add({
      path: '/api/v1/forms/*/responses',
      status: 429,
      retry_after: 1,
      times: 3,
    })
    const { code, stdout, stderr } = await quickTail(['--since', '1d', '--count', '2'])
    expect([code, stdout.split('\n').length]).toEqual([0, 3])
    expect(stderr.match(/^rate limited; retrying in 1 s$/gm)).toHaveLength(3)
    expect(stderr).not.toContain('connection lost')
  })
  it.each([
    ['fails', { status: 503 }],
    ['is behind a proxy that responds with pages and 200', { status: 200, body: 'html' }],
  ])('reports an outage once when it begins and once when it ends: the server %s', async (_how, fault) => {
    service.server.app.faults.add({ path: '/api/v1/forms/*/responses', times: 3, ...fault } as never)
    const { code, stderr } = await quickTail(['--since', '1d', '--count', '2'])
    expect(code).toBe(0)
    expect(stderr.match(/^connection lost \(.*\); reconnecting$/gm)).toHaveLength(1)
    expect(stderr.match(/^connected again$/gm)).toHaveLength(1)
  })
})
