import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { Stopped } from '../../src/failure.ts'
import { exporting } from '../support/exporting.ts'
import { valuesOf } from '../support/run-cli.ts'
import { eachService, SURVEY } from '../support/service.ts'

const service = eachService({ limits: 'off' })

const { cli, counted, fill, through } = exporting(() => service)

const idsOf = (text: string): number[] => valuesOf(text).map(({ id }) => id)

describe('formwire responses export', () => {
  it('exports drafts newest first, page by page', async () => {
    for (let number = 0; number < 120; number += 1)
      service.server.app.responses.create(SURVEY, { answers: [], status: 'in_progress' })
    const { stdout, stderr } = await cli(['--status', 'in_progress', '--format', 'ndjson'])
    const ids = idsOf(stdout)
    expect([ids.length, stderr]).toEqual([121, '121 responses\n'])
    expect(ids).toEqual(ids.toSorted((one, other) => other - one))
  })

  it.each([
    [['--format', 'ndjson'], { first: 2, row: 2 }],
    [['--format', 'json'], { first: 2, row: 2 }],
    // Page 1, then nine others for the header at the same time, the oldest one among them.
    [['--format', 'csv'], { first: 10, row: 10 }],
  ])('has written the first line and row after few requests: %j', async (argv, expected) => {
    fill(1_500)
    const { options, requests } = await counted()
    let first: number | undefined
    let row: number | undefined
    await cli(argv, {
      ...options,
      onStdout: (text) => {
        first ??= requests()
        if (/2026-11-21T/.test(text)) row ??= requests()
      },
    })
    expect({ first, row }).toEqual(expected)
  })

  it('writes the first line on its own, so that a reader of one line ends the export at once', async () => {
    fill(1_590)
    const stop = new AbortController()
    const { options, requests } = await counted()
    const written: string[] = []
    const { code } = await cli(['--format', 'ndjson'], {
      ...options,
      stop: stop.signal,
      onStdout: (text) => {
        written.push(text)
        // As the error of a closed pipe does.
        if (written.length === 2) stop.abort(new Stopped('output closed'))
      },
    })
    expect([code, requests(), written[0]?.match(/\n/g)?.length]).toEqual([0, 2, 1])
  })
})

/** Starts a service that lists the responses of the seed and of `fill` in another order, and shows each since an instant as it should. */
async function disordered(order: (rows: Row[]) => Row[]): Promise<string> {
  const headers = { authorization: `Bearer ${service.env.FORMWIRE_API_KEY}` }
  const page = async (number: number): Promise<Row[]> => {
    const path = `${service.url}/api/v1/forms/${SURVEY}/responses?per_page=100&page=${number}`
    return (await (await service.server.fetch(path, { headers })).json()).data
  }
  const rows = order((await Promise.all([1, 2, 3, 4].map(page))).flat())
  return await serve((request, response) => {
    const { searchParams: query } = new URL(request.url ?? '', service.url)
    const since = Date.parse(query.get('since') ?? '1970-01-01T00:00:00Z')
    const found = rows.filter(({ submitted_at: at }) => Date.parse(at) >= since)
    const [number, per_page] = [Number(query.get('page')), Number(query.get('per_page'))]
    const data = found.slice((number - 1) * per_page, number * per_page)
    const meta = { page: number, per_page, total: found.length }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, meta }))
  })
}

type Row = { id: number; submitted_at: string }

describe('[RESP-01] a list that is not newest first', () => {
  /** A response of the third page that was imported later: its time is that of the oldest. */
  const imported = (rows: Row[]) =>
    rows.map((row, at) => (at === 220 ? { ...row, submitted_at: '2026-11-21T09:00:00.000Z' } : row))

  it('[RESP-01] ends an export with 1, and leaves no file and nothing to resume', async () => {
    fill(300)
    const file = join(temporaryDirectory(), 'responses.ndjson')
    const url = await disordered(imported)
    const env = { FORMWIRE_BASE_URL: url }
    expect(await cli(['--format', 'ndjson'], { env })).toMatchObject({ code: 1, stdout: '' })
    const { code, stdout, stderr } = await cli(['--output', file], { env })
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([
      1,
      '',
      `formwire: /forms/${SURVEY}/responses is not newest first: response 82 is newer than the one before it.`,
    ])
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false])
  })
})

describe('a CSV of more responses than the sample for its header', () => {
  it('is written while responses are read, and keeps answers to other questions in its last column', async () => {
    fill(2_100)
    service.server.app.responses.delete(SURVEY, 2)
    // On page 2 of 22, which is not one of the ten sampled pages.
    service.server.app.responses.create(SURVEY, {
      answers: [{ question_id: 'why', value: 'Only\nonce' }],
      submitted_at: '2026-11-21T11:31:19.495Z',
    })
    const { stdout, stderr } = await cli([])
    const lines = stdout.split('\r\n')
    expect(lines[0]).toBe(
      'id,status,started_at,submitted_at,duration_sec,email,score,max_score,Name,Stars,other_answers',
    )
    expect(lines).toHaveLength(2_104)
    expect(lines.filter((line) => line.endsWith(',"Why?: Only\nonce"'))).toHaveLength(1)
    expect(new Set(lines.slice(1, -1).map((line) => line.split(',').length))).toEqual(new Set([11]))
    expect(stderr).toBe(
      '1 answer is in the column other_answers; with responses export --output FILE every question has its own\n2,102 responses\n',
    )
    const file = join(temporaryDirectory(), 'all.csv')
    await cli(['-o', file])
    expect(readFileSync(file, 'utf8').split('\r\n')[0]).toMatch(/,Why\?,Name,Stars$/)
  })
})

describe('formwire responses export --limit', () => {
  it.each([['-L', '3'], ['--limit=3']])('exports at most --limit responses: %s %s', async (...argv) => {
    const ids = [1, 2, 4]
    fill(250)
    const { stdout, stderr } = await cli([...argv, '--format', 'ndjson'])
    expect([idsOf(stdout), stderr]).toEqual([ids, '3 responses\n'])
    const csv = (await cli([...argv])).stdout.trimEnd().split('\r\n')
    expect(csv.slice(1).filter((line) => /^\d+,submitted,/.test(line))).toHaveLength(3)
    const file = join(temporaryDirectory(), 'some.ndjson')
    await cli([...argv, '-o', file])
    expect(idsOf(readFileSync(file, 'utf8'))).toEqual(ids)
  })
})

describe('a CSV of at most 1,000 responses', () => {
  it('reads each page once, and has the questions of all responses', async () => {
    fill(900)
    let requests = 0
    const growing = await through((number) => {
      requests = number
      // A question that no response before has an answer to.
      if (number === 3)
        service.server.app.responses.create(SURVEY, {
          answers: [{ question_id: 'why', value: 'New' }],
          submitted_at: '2026-11-21T11:31:00.005Z',
        })
      return undefined
    })
    service.server.app.responses.delete(SURVEY, 2)
    const { code, stdout, stderr } = await cli([], growing)
    expect([code, requests, stderr]).toEqual([0, 10, '902 responses\n'])
    const rows = stdout.trimEnd().split('\r\n')
    expect(rows[0]).toMatch(/,Name,Stars,Why\?$|,Why\?,Name,Stars$/)
    expect(Number(rows[1]?.split(',')[0])).toBe(1)
    expect(rows.filter((row) => /,New(?:,|$)/.test(row))).toHaveLength(1)
  })

  it('prints nothing when a page cannot be read', async () => {
    fill(300)
    const failing = await through((number) => (number === 3 ? { status: 500 } : undefined))
    const { code, stdout } = await cli(['--no-wait'], failing)
    expect([code, stdout]).toEqual([1, ''])
  })
})

describe('progress of an export', () => {
  it('prints a line every 30 s on a pipe, unless --quiet', async () => {
    fill(250)
    let passed: (() => void) | undefined
    const slept: number[] = []
    const run = (argv: string[]) => {
      slept.length = 0
      return cli(['--format', 'ndjson', ...argv], {
        onSleep: (ms) => {
          slept.push(ms)
          return new Promise((resolve) => {
            passed = slept.length === 1 ? resolve : undefined
          })
        },
        onStdout: () => passed?.(),
      })
    }
    const { stderr } = await run([])
    expect(slept[0]).toBe(30_000)
    expect(stderr).toMatch(/^\d+ of 252 responses \(\d+%\)\n252 responses\n$/)
    expect((await run(['--quiet'])).stderr).toBe('')
    expect(JSON.parse((await run(['--json'])).stderr)).toMatchObject({ event: 'progress', total: 252 })
  })
})

describe('[ERR-05] a rate limit during an export', () => {
  const limited = (retryAfter: string) => (number: number) =>
    number >= 3 && number <= 5 ? { status: 429, headers: { 'retry-after': retryAfter } } : undefined

  it('is waited out as often as necessary', async () => {
    fill(250)
    const { code, stdout, stderr } = await cli(['--format', 'ndjson'], {
      ...(await through(limited('0'))),
      onSleep: (ms) => (ms >= 30_000 ? new Promise(() => undefined) : Promise.resolve()),
    })
    expect([code, idsOf(stdout).length]).toEqual([0, 252])
    expect(stderr.match(/rate limited; retrying in/g)).toHaveLength(3)
  })

  it('ends the command with 5 with --no-wait', async () => {
    fill(250)
    const argv = ['--format', 'ndjson', '--no-wait']
    const { code, stderr } = await cli(argv, await through(limited('60')))
    expect([code, stderr.includes('retrying')]).toEqual([5, false])
  })
})
