import {
  chmodSync,
  chownSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { type CliOptions, NOON, runCli } from '../support/run-cli.ts'
import { type Service, SURVEY, startService } from '../support/service.ts'

let service: Service
const proxies: Server[] = []
beforeEach(async () => {
  service = await startService({ limits: 'off' })
})
afterEach(async () => {
  for (const proxy of proxies.splice(0)) {
    proxy.closeAllConnections()
    proxy.close()
  }
  await service.server.close()
})

const cli = (argv: string[], more: CliOptions = {}) =>
  runCli(['responses', 'export', SURVEY, ...argv], {
    retriesAtOnce: true,
    ...more,
    env: { ...service.env, NO_COLOR: '1', ...more.env },
  })

/** Adds responses one second apart, after those of the seed. */
function fill(count: number): void {
  for (let number = 0; number < count; number += 1) {
    service.server.app.responses.create(SURVEY, {
      answers: [{ question_id: 'name', value: `N${number}` }],
      submitted_at: new Date(Date.parse('2026-11-21T11:31:00.000Z') + number * 10).toISOString(),
    })
  }
}

/** Starts a proxy to the service. `onRequest` gets the number of the request and its path, and may return a response in its place. */
async function proxy(
  onRequest: (
    number: number,
    path: string,
  ) => { status: number; headers?: Record<string, string> } | undefined,
): Promise<string> {
  let number = 0
  const server = createServer(async (request, response) => {
    number += 1
    const instead = onRequest(number, request.url ?? '')
    if (instead) {
      const error = { code: instead.status === 429 ? 'rate_limited' : 'server_error', message: 'No.' }
      response.writeHead(instead.status, { 'content-type': 'application/json', ...instead.headers })
      response.end(JSON.stringify({ error }))
      return
    }
    const answer = await service.server.fetch(
      new Request(`${service.url}${request.url}`, {
        headers: { authorization: request.headers.authorization ?? '' },
      }),
    )
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  proxies.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const idsOf = (text: string): number[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: number }).id)

describe('formwire responses export --order', () => {
  it('newest first streams page by page', async () => {
    fill(3)
    expect(idsOf((await cli(['--order', 'newest', '--format', 'ndjson'])).stdout)).toEqual([6, 5, 4, 2, 1])
    expect((await cli(['--order', 'up'])).stderr).toBe(
      'formwire: --order must be one of oldest, newest, got "up"\n',
    )
    expect((await cli(['--order', 'oldest', '--status', 'in_progress'])).code).toBe(2)
  })

  it('has written the first rows before it asks for the second page', async () => {
    fill(250)
    let written = 0
    const pages: number[] = []
    const url = await proxy(() => {
      pages.push(written)
      return undefined
    })
    await cli(['--order', 'newest', '--format', 'ndjson'], {
      env: { FORMWIRE_BASE_URL: url },
      onStdout: (text) => {
        written += text.split('\n').length - 1
      },
    })
    expect(pages).toEqual([0, 100, 200])
  })

  it.each([
    [['--format', 'ndjson'], { first: 2, row: 2 }],
    [['--format', 'json'], { first: 2, row: 2 }],
    [['--format', 'ndjson', '--order', 'newest'], { first: 1, row: 1 }],
    // Page 1, then nine others for the header at the same time, the oldest one among them.
    [['--format', 'csv'], { first: 10, row: 10 }],
    [['--format', 'csv', '--order', 'newest'], { first: 10, row: 10 }],
  ])('has written the first line and row after few requests: %j', async (argv, expected) => {
    fill(1_500)
    let requests = 0
    const url = await proxy(() => {
      requests += 1
      return undefined
    })
    let first: number | undefined
    let row: number | undefined
    await cli(argv, {
      env: { FORMWIRE_BASE_URL: url },
      onStdout: (text) => {
        first ??= requests
        if (/2026-11-21T/.test(text)) row ??= requests
      },
    })
    expect({ first, row }).toEqual(expected)
  })

  it('writes the first line on its own, so that a reader of one line ends the export at once', async () => {
    fill(300)
    const { Stopped } = await import('../../src/failure.ts')
    const stop = new AbortController()
    let requests = 0
    const url = await proxy(() => {
      requests += 1
      return undefined
    })
    const written: string[] = []
    const { code } = await cli(['--format', 'ndjson'], {
      env: { FORMWIRE_BASE_URL: url },
      stop: stop.signal,
      onStdout: (text) => {
        written.push(text)
        // As the error of a closed pipe does.
        if (written.length === 2) stop.abort(new Stopped('output closed'))
      },
    })
    expect([code, requests, written[0]?.match(/\n/g)?.length]).toEqual([0, 2, 1])
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
  const server = createServer((request, response) => {
    const { searchParams: query } = new URL(request.url ?? '', service.url)
    const since = Date.parse(query.get('since') ?? '1970-01-01T00:00:00Z')
    const found = rows.filter(({ submitted_at: at }) => Date.parse(at) >= since)
    const [number, per_page] = [Number(query.get('page')), Number(query.get('per_page'))]
    const data = found.slice((number - 1) * per_page, number * per_page)
    const meta = { page: number, per_page, total: found.length }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, meta }))
  })
  proxies.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Row = { id: number; submitted_at: string }

describe('[RESP-01] a list that is not newest first', () => {
  /** A response of the third page that was imported later: its time is that of the oldest. */
  const imported = (rows: Row[]) =>
    rows.map((row, at) => (at === 220 ? { ...row, submitted_at: '2026-11-21T09:00:00.000Z' } : row))

  it.each([
    ['oldest', 'is oldest first', (rows: Row[]) => rows.toReversed(), '301 responses'],
    ['oldest', 'has an imported response', imported, '1 response'],
    ['newest', 'is oldest first', (rows: Row[]) => rows.toReversed(), '301 responses'],
    ['newest', 'has an imported response', imported, '80 responses'],
    [
      'newest',
      'has its newer half last',
      (rows: Row[]) => rows.slice(152).concat(rows.slice(0, 152)),
      '152 responses',
    ],
  ] as const)('[RESP-01] --order %s ends with 1 if the list %s', async (order, _name, of, lacks) => {
    fill(300)
    const url = await disordered(of)
    const argv = ['--order', order, '--format', 'ndjson']
    const { code, stdout, stderr } = await cli(argv, { env: { FORMWIRE_BASE_URL: url } })
    expect([code, stderr.split('\n')[0]]).toEqual([
      1,
      `formwire: form ${SURVEY} does not list its responses newest first: the export lacks ${lacks}`,
    ])
    expect(new Set(idsOf(stdout)).size).toBe(302 - Number.parseInt(lacks, 10))
  })

  it('[RESP-01] --output creates no file from one, and nothing to resume', async () => {
    fill(300)
    const file = join(temporaryDirectory(), 'responses.csv')
    const url = await disordered(imported)
    expect((await cli(['--output', file], { env: { FORMWIRE_BASE_URL: url } })).code).toBe(1)
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false])
  })

  it.each([
    ['oldest', 3],
    ['newest', 3],
    ['newest', 150],
  ])(
    '[POLL-02] is not what --order %s finds when responses are deleted and %i arrive',
    async (order, arriving) => {
      fill(300)
      const { responses } = service.server.app
      const url = await proxy((number) => {
        if (number !== 3) return undefined
        for (const id of [2, 40, 41, 42, 43, 290]) responses.delete(SURVEY, id)
        for (let count = 0; count < arriving; count += 1)
          responses.create(SURVEY, { answers: [], status: 'submitted' })
        return undefined
      })
      const argv = ['--order', order, '--format', 'ndjson']
      const { code, stdout } = await cli(argv, { env: { FORMWIRE_BASE_URL: url } })
      expect([code, new Set(idsOf(stdout)).size < 302]).toEqual([0, true])
    },
  )
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
  it.each([
    [
      ['-L', '3'],
      [1, 2, 4],
    ],
    [
      ['--limit', '3', '--order', 'newest'],
      [253, 252, 251],
    ],
  ])('exports at most --limit responses: %j', async (argv, ids) => {
    fill(250)
    const { stdout, stderr } = await cli([...argv, '--format', 'ndjson'])
    expect([idsOf(stdout), stderr]).toEqual([ids, '3 responses\n'])
    const csv = (await cli([...argv])).stdout.trimEnd().split('\r\n')
    expect(csv.slice(1).filter((line) => /^\d+,submitted,/.test(line))).toHaveLength(3)
    const file = join(temporaryDirectory(), 'some.ndjson')
    await cli([...argv, '-o', file])
    expect(idsOf(readFileSync(file, 'utf8'))).toEqual(ids)
  })
  it('must be a positive integer', async () => {
    expect((await cli(['-L', '0'])).stderr).toBe('formwire: --limit must be a positive integer, got "0"\n')
  })
})

describe('a CSV of at most 1,000 responses', () => {
  it.each([
    [[], 1],
    [['--order', 'newest'], 903],
  ])('reads each page once, and has the questions of all responses: %j', async (argv, first) => {
    fill(900)
    let requests = 0
    const url = await proxy((number) => {
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
    const { code, stdout, stderr } = await cli(argv, { env: { FORMWIRE_BASE_URL: url } })
    expect([code, requests, stderr]).toEqual([0, 10, '902 responses\n'])
    const rows = stdout.trimEnd().split('\r\n')
    expect(rows[0]).toMatch(/,Name,Stars,Why\?$|,Why\?,Name,Stars$/)
    expect(Number(rows[1]?.split(',')[0])).toBe(first)
    expect(rows.filter((row) => /,New(?:,|$)/.test(row))).toHaveLength(1)
  })

  it('prints nothing when a page cannot be read', async () => {
    fill(300)
    const url = await proxy((number) => (number === 3 ? { status: 500 } : undefined))
    const { code, stdout } = await cli(['--no-wait'], { env: { FORMWIRE_BASE_URL: url } })
    expect([code, stdout]).toEqual([1, ''])
  })
})

describe('formwire responses export --output', () => {
  it('writes the file when it is complete, in every format', async () => {
    const folder = temporaryDirectory()
    for (const format of ['csv', 'ndjson', 'json']) {
      const file = join(folder, `all.${format}`)
      writeFileSync(file, 'old')
      expect(await cli(['--output', file, '--format', format])).toEqual({
        code: 0,
        stdout: '',
        stderr: `replaced ${file}\n2 responses in ${file}\n`,
      })
      expect(readFileSync(file, 'utf8')).toBe((await cli(['--format', format])).stdout)
      expect(existsSync(`${file}.part`)).toBe(false)
    }
    expect((await cli(['--output', '-'])).stdout).toContain('Name,Stars')
  })

  it('creates nothing for an unknown form or a folder that cannot be written', async () => {
    const file = join(temporaryDirectory(), 'all.csv')
    expect(
      (await runCli(['responses', 'export', 'nothere00000', '-o', file], { env: service.env })).code,
    ).toBe(3)
    expect(existsSync(`${file}.part`)).toBe(false)
    const missing = join(temporaryDirectory(), 'missing', 'all.csv')
    expect(await cli(['-o', missing])).toEqual({
      code: 2,
      stdout: '',
      stderr: `formwire: cannot write ${missing}: its directory does not exist\n`,
    })
  })

  it('refuses a directory before it asks for anything', async () => {
    const folder = temporaryDirectory()
    const before = service.server.app.requests.list().length
    for (const path of [folder, `${folder}/new/`, '']) {
      expect(await cli(['-o', path])).toEqual({
        code: 2,
        stdout: '',
        stderr: `formwire: --output must be a file, got "${path}"\n  pass a file in this directory, such as responses.csv\n`,
      })
    }
    expect(existsSync(`${folder}.part`)).toBe(false)
    expect(service.server.app.requests.list()).toHaveLength(before)
  })

  it('keeps what it has after a failure, and --resume continues without losing or repeating a response', async () => {
    fill(2_700)
    const file = join(temporaryDirectory(), 'all.ndjson')
    const failing = await proxy((number) => (number > 28 ? { status: 500 } : undefined))
    const argv = ['--format', 'ndjson', '--output', file]
    const failed = await cli([...argv, '--no-wait'], { env: { FORMWIRE_BASE_URL: failing } })
    expect([failed.code, existsSync(file)]).toEqual([1, false])
    expect(failed.stderr).toMatch(
      /\n1,\d{3} responses are kept in \S+all\.ndjson\.part; continue with --resume, which reads the other \d00 again\n$/,
    )
    expect(statSync(`${file}.part`).mode & 0o777).toBe(0o600)
    expect((await cli(argv)).stderr).toBe(
      `formwire: ${file}.part is from an unfinished export\n  continue it with --resume, or delete it to start from the beginning\n`,
    )
    // As a crash in the middle of a line leaves it.
    truncateSync(`${file}.part`, statSync(`${file}.part`).size - 7)
    const before = service.server.app.requests.list().length
    expect(await cli([...argv, '--resume'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `2,702 responses in ${file}\n`,
    })
    expect(service.server.app.requests.list().length - before).toBeLessThan(24)
    expect(readFileSync(file, 'utf8')).toBe((await cli(['--format', 'ndjson'])).stdout)
    expect(existsSync(`${file}.part`)).toBe(false)
  })

  it('keeps what it has when it is interrupted: exit 130', async () => {
    fill(2_700)
    const file = join(temporaryDirectory(), 'all.csv')
    const stop = new AbortController()
    const { Stopped } = await import('../../src/failure.ts')
    const url = await proxy((number) => {
      if (number === 28) stop.abort(new Stopped('interrupted'))
      return undefined
    })
    const { code, stderr } = await cli(['-o', file], { env: { FORMWIRE_BASE_URL: url }, stop: stop.signal })
    expect([code, existsSync(file)]).toEqual([130, false])
    expect(stderr).toMatch(
      /^1,\d{3} responses are kept in .*all\.csv\.part; continue with --resume, which reads the other \d00 again\n$/,
    )
    await cli(['-o', file, '--resume'])
    expect(readFileSync(file, 'utf8').split('\r\n')).toHaveLength(2_704)
  })

  it('reports that it has nothing when it is interrupted before the first response', async () => {
    const file = join(temporaryDirectory(), 'all.csv')
    const stop = new AbortController()
    const { Stopped } = await import('../../src/failure.ts')
    fill(250)
    const url = await proxy((number) => {
      if (number === 2) stop.abort(new Stopped('interrupted'))
      return undefined
    })
    const { code, stderr } = await cli(['-o', file], { env: { FORMWIRE_BASE_URL: url }, stop: stop.signal })
    expect([code, stderr]).toEqual([130, 'interrupted before the first response was saved\n'])
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false])
  })

  it('--resume starts from the beginning when there is nothing to continue', async () => {
    const file = join(temporaryDirectory(), 'all.csv')
    expect((await cli(['-o', file, '--resume'])).code).toBe(0)
    expect(readFileSync(file, 'utf8').split('\r\n')).toHaveLength(4)
  })

  it.skipIf(process.platform === 'win32')(
    '--resume continues neither a link nor a file that others can change',
    async () => {
      const file = join(temporaryDirectory(), 'all.csv')
      const victim = join(temporaryDirectory(), 'victim')
      const header = '{"formwire_export":1}\n'
      writeFileSync(victim, header, { mode: 0o600 })
      symlinkSync(victim, `${file}.part`)
      const plantWritable = (): void => {
        writeFileSync(`${file}.part`, header)
        chmodSync(`${file}.part`, 0o666)
      }
      const refusal = `${file}.part is a link, belongs to another user, or can be changed by others`
      for (const plant of [() => undefined, () => plantWritable()]) {
        plant()
        const { code, stderr } = await cli(['-o', file, '--resume'])
        expect([code, stderr.split('\n')[0]]).toEqual([2, `formwire: ${refusal}`])
        rmSync(`${file}.part`)
      }
      expect(readFileSync(victim, 'utf8')).toBe(header)
      writeFileSync(`${file}.part`, header, { mode: 0o600 })
      // Only root can give a file away.
      if (process.getuid?.() === 0) {
        chownSync(`${file}.part`, 1, 1)
        expect((await cli(['-o', file, '--resume'])).stderr).toContain(refusal)
      }
    },
  )

  it('--resume refuses the part of another export, a damaged one, and wrong combinations', async () => {
    const file = join(temporaryDirectory(), 'all.csv')
    const part = `${file}.part`
    const header = {
      formwire_export: 1,
      form_id: SURVEY,
      since_text: '7d',
      since: null,
      status: null,
      order: 'oldest',
    }
    writeFileSync(part, `${JSON.stringify(header)}\n`)
    expect((await cli(['-o', file, '--resume'])).stderr).toBe(
      `formwire: ${part} is from an export with --since 7d, now no --since\n  resume with the same arguments, or delete the file to start from the beginning\n`,
    )
    for (const text of ['{}\n', 'x\n', '{']) {
      writeFileSync(part, text)
      expect(await cli(['-o', file, '--resume'])).toMatchObject({ code: 2, stdout: '' })
      expect(readFileSync(part, 'utf8')).toBe(text)
    }
    expect((await cli(['--resume'])).code).toBe(2)
    expect((await cli(['-o', file, '--resume', '--status', 'in_progress'])).stderr).toMatch(
      /^formwire: --resume cannot be combined with --status in_progress\n/,
    )
    writeFileSync(part, `${JSON.stringify({ ...header, since_text: null, order: 'newest', limit: 5 })}\n`)
    expect((await cli(['-o', file, '--resume', '--order', 'newest'])).stderr).toMatch(
      /^formwire: \S+ is from an export with --limit 5, now no --limit\n/,
    )
  })

  it.each(['oldest', 'newest'])(
    'keeps the first pages when it is interrupted soon: %s first',
    async (order) => {
      fill(698)
      const file = join(temporaryDirectory(), 'all.ndjson')
      const stop = new AbortController()
      const { Stopped } = await import('../../src/failure.ts')
      const url = await proxy((number) => {
        if (number === 4) stop.abort(new Stopped('interrupted'))
        return undefined
      })
      const argv = ['-o', file, '--order', order]
      const { code, stderr } = await cli(argv, { env: { FORMWIRE_BASE_URL: url }, stop: stop.signal })
      expect(code).toBe(130)
      // Oldest first: page 1, the oldest page, and two of the next block, which is not complete.
      const kept = order === 'newest' ? 300 : 100
      const others = order === 'newest' ? '' : ', which reads the other 100 again'
      expect(stderr).toBe(`${kept} responses are kept in ${file}.part; continue with --resume${others}\n`)
      // Arrives between the two runs.
      service.server.app.responses.create(SURVEY, { answers: [{ question_id: 'name', value: 'Late' }] })
      expect((await cli([...argv, '--resume'])).stderr).toBe(
        `${order === 'newest' ? 700 : 701} responses in ${file}\n`,
      )
      const expected = idsOf((await cli(['--format', 'ndjson', '--order', order])).stdout)
      if (order === 'newest') expected.shift()
      expect(idsOf(readFileSync(file, 'utf8'))).toEqual(expected)
    },
  )

  it('keeps no file when it is interrupted before the first response', async () => {
    const file = join(temporaryDirectory(), 'all.csv')
    const url = await proxy((number) => (number === 2 ? { status: 500 } : undefined))
    fill(100)
    const { code, stderr } = await cli(['-o', file, '--no-wait'], { env: { FORMWIRE_BASE_URL: url } })
    expect([code, stderr.includes('kept'), existsSync(`${file}.part`)]).toEqual([1, false, false])
  })

  it('--resume of a complete file says so and leaves it alone: exit 0', async () => {
    const file = join(temporaryDirectory(), 'all.csv')
    await cli(['-o', file])
    fill(1)
    const before = readFileSync(file, 'utf8')
    expect(await cli(['-o', file, '--resume'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `${file} is complete: there is no unfinished export to resume\n`,
    })
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it.each([
    ['all.csv', /^id,status,/],
    ['all.CSV', /^id,status,/],
    ['all.json', /^\[\{"id":1,/],
    ['all.ndjson', /^\{"id":1,/],
    ['all.jsonl', /^\{"id":1,/],
    ['all.txt', /^id,status,/],
    ['all', /^id,status,/],
  ])('takes the format from the name %s', async (name, start) => {
    const file = join(temporaryDirectory(), name)
    expect((await cli(['-o', file])).stderr).toBe(`2 responses in ${file}\n`)
    expect(readFileSync(file, 'utf8')).toMatch(start)
  })

  it('notes a name that does not fit --format, and refuses a CSV with --json', async () => {
    const file = join(temporaryDirectory(), 'all.ndjson')
    expect((await cli(['-o', file, '--format', 'csv'])).stderr).toBe(
      `${file} is written as csv, as --format says\n2 responses in ${file}\n`,
    )
    const workbook = join(temporaryDirectory(), 'all.xlsx')
    expect(await cli(['-o', workbook])).toEqual({
      code: 2,
      stdout: '',
      stderr: `formwire: an export cannot be written as xlsx, got --output ${workbook}\n  choose a name that ends with .csv, which spreadsheets open\n`,
    })
    const csv = join(temporaryDirectory(), 'all.csv')
    expect(await cli(['-o', csv, '--json', 'id'])).toMatchObject({ code: 2, stdout: '' })
    expect((await cli(['-o', file, '--json', 'id'])).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe('{"id":1}\n{"id":2}\n')
  })
})

describe('progress of an export', () => {
  it('says pace, percent and time left on a terminal', async () => {
    fill(298)
    let now = NOON
    const { stderr } = await cli([], {
      terminal: 80,
      errorTerminal: true,
      now: () => {
        now += 1_000
        return now
      },
    })
    expect(stderr).toContain(`\r\u001b[2K${'─'.repeat(20)} 0 of 300 responses (0%)\r`)
    expect(stderr).toContain(`\r\u001b[2K${'━'.repeat(6)}${'─'.repeat(14)} 100 of 300 responses (33%) · `)
    expect(stderr).toMatch(/100 of 300 responses \(33%\) · [\d,]+\/min · \d+ s left/)
    expect(stderr.endsWith('\r\u001b[2K✓ 300 responses\n')).toBe(true)
  })

  it('says no pace before a second has passed', async () => {
    fill(98)
    const { stderr } = await cli([], { terminal: 80, errorTerminal: true })
    expect(stderr).toContain('100 of 100 responses (100%)')
    let now = NOON
    const quick = await cli([], { terminal: 80, errorTerminal: true, now: () => ++now })
    expect(quick.stderr).toContain('100 of 100 responses (100%)')
    expect(quick.stderr).not.toContain('/min')
  })

  it('prints a line every 30 s on a pipe, unless --quiet', async () => {
    fill(250)
    let passed: (() => void) | undefined
    const slept: number[] = []
    const run = (argv: string[]) => {
      slept.length = 0
      return cli(['--format', 'ndjson', '--order', 'newest', ...argv], {
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
    const url = await proxy(limited('0'))
    const { code, stdout, stderr } = await cli(['--format', 'ndjson', '--order', 'newest'], {
      env: { FORMWIRE_BASE_URL: url },
      onSleep: (ms) => (ms >= 30_000 ? new Promise(() => undefined) : Promise.resolve()),
    })
    expect([code, idsOf(stdout).length]).toEqual([0, 252])
    expect(stderr.match(/rate limited; retrying in/g)).toHaveLength(3)
  })

  it('ends the command with 5 with --no-wait', async () => {
    fill(250)
    const url = await proxy(limited('60'))
    const { code, stderr } = await cli(['--format', 'ndjson', '--no-wait'], {
      env: { FORMWIRE_BASE_URL: url },
    })
    expect([code, stderr.includes('retrying')]).toEqual([5, false])
  })

  it('does not hold an export back where the service shows no limit', async () => {
    fill(13_000)
    const started = service.server.app.requests.list().length
    const { code } = await cli(['--format', 'ndjson', '--order', 'newest', '--quiet'], {
      onSleep: () => Promise.reject(new Error('waited')),
    })
    expect(code).toBe(0)
    expect(service.server.app.requests.list().length).toBeGreaterThan(started)
  })
})
