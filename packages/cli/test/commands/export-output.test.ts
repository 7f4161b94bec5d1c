import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { holdPart } from '../../src/files/part-file.ts'
import { exporting } from '../support/exporting.ts'
import { NOON, runCli } from '../support/run-cli.ts'
import { type Service, SURVEY, testService } from '../support/service.ts'

let service: Service
beforeEach(async () => {
  service = await testService({ limits: 'off' })
})

const { cli, fill, proxy } = exporting(() => service)

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

  it('gives columns of questions and meta names that no other column has, and begins with a byte order mark on request', async () => {
    service.server.app.forms.publish(
      service.server.app.forms.update(SURVEY, {
        questions: ['ID', 'other_answers', 'meta.ref', 'Name', 'name'].map((title, at) => ({
          id: `q${at}`,
          type: 'short_text',
          title,
        })),
      }).id,
    )
    service.server.app.responses.create(SURVEY, {
      answers: [0, 1, 2, 3, 4].map((at) => ({ question_id: `q${at}`, value: `v${at}` })),
      meta: { ref: 'https://a.example', utm: { source: '=mail' } },
      submitted_at: '2026-11-21T11:50:00.000Z',
    })
    const head =
      'id,status,started_at,submitted_at,duration_sec,email,score,max_score,ID (q0),other_answers (q1),meta.ref (q2),Name (q3),name (q4),meta.ref,meta.utm.source\r\n'
    const file = join(temporaryDirectory(), 'all.csv')
    const since = ['--since', '2026-11-21T11:50:00Z']
    const { stdout } = await cli([...since, '--bom'])
    expect(stdout.slice(0, head.length + 1)).toBe(`\ufeff${head}`)
    expect(stdout).toMatch(/,v0,v1,v2,v3,v4,https:\/\/a\.example,'=mail\r\n$/)
    await cli([...since, '--bom', '--output', file])
    expect(readFileSync(file, 'utf8')).toBe(stdout)
    expect((await cli(since)).stdout).toBe(stdout.slice(1))
    expect(await cli(['--bom', '--format', 'json'])).toMatchObject({
      code: 2,
      stderr: 'formwire: --bom is for csv, not for json\n  remove --bom\n',
    })
  })

  it.each([
    [[], [556, 556, 556]],
    [
      ['--rate', '30'],
      [2000, 2000, 2000],
    ],
    [['--rate', '0'], []],
  ])('[RATE-01] spreads requests evenly after the first ten with %j', async (rate, expected) => {
    fill(1_050)
    let now = NOON
    const slept: number[] = []
    const url = await proxy((_, path) => (path.startsWith('/_app') ? { status: 404 } : undefined))
    const { code } = await cli(['--format', 'ndjson', ...rate], {
      env: { FORMWIRE_BASE_URL: url },
      now: () => now,
      async onSleep(ms) {
        // Between lines of progress.
        if (ms >= 10_000) await new Promise(() => undefined)
        now += ms
        slept.push(Math.round(ms))
      },
    })
    expect([code, slept.slice(0, 3)]).toEqual([0, expected])
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
    const hold = await holdPart(file, new AbortController().signal)
    for (const more of [[], ['--resume']])
      expect(await cli([...argv, ...more])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${file}.part is in use by process ${process.pid} on `),
      })
    await hold.release()
    utimesSync(`${file}.part`, NOON / 1000, NOON / 1000 - 7200)
    expect((await cli(argv)).stderr).toBe(
      `formwire: ${file}.part is from an unfinished export, last written 2 hours ago\n  continue it with --resume, or delete it to start from the beginning\n`,
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

  it.each(['all.csv', 'all.json'])('leaves nothing of %s when it is interrupted: exit 130', async (name) => {
    fill(2_700)
    const folder = temporaryDirectory()
    const stop = new AbortController()
    const { Stopped } = await import('../../src/failure.ts')
    const url = await proxy((number) => {
      if (number === 28) stop.abort(new Stopped('interrupted'))
      return undefined
    })
    const argv = ['-o', join(folder, name)]
    expect(await cli(argv, { env: { FORMWIRE_BASE_URL: url }, stop: stop.signal })).toEqual({
      code: 130,
      stdout: '',
      stderr: 'interrupted: nothing was saved\n',
    })
    expect(readdirSync(folder)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')(
    '--resume continues neither a link nor a file that others can change',
    async () => {
      const file = join(temporaryDirectory(), 'all.ndjson')
      const victim = join(temporaryDirectory(), 'victim')
      const row = '{"id":1}\n'
      writeFileSync(victim, row, { mode: 0o600 })
      symlinkSync(victim, `${file}.part`)
      const plantWritable = (): void => {
        writeFileSync(`${file}.part`, row)
        chmodSync(`${file}.part`, 0o666)
      }
      const refusal = `${file}.part is a link, belongs to another user, or can be changed by others`
      for (const plant of [() => undefined, () => plantWritable()]) {
        plant()
        const { code, stderr } = await cli(['-o', file, '--resume'])
        expect([code, stderr.split('\n')[0]]).toEqual([2, `formwire: ${refusal}`])
        rmSync(`${file}.part`)
      }
      expect(readFileSync(victim, 'utf8')).toBe(row)
      writeFileSync(`${file}.part`, row, { mode: 0o600 })
      // Only root can give a file away.
      if (process.getuid?.() === 0) {
        chownSync(`${file}.part`, 1, 1)
        expect((await cli(['-o', file, '--resume'])).stderr).toContain(refusal)
      }
    },
  )

  it('--resume refuses the part of another form, a damaged one, and wrong combinations', async () => {
    const file = join(temporaryDirectory(), 'all.ndjson')
    const part = `${file}.part`
    writeFileSync(part, '{"id":1,"form_id":"other0000001","submitted_at":"2026-11-21T10:00:00.000Z"}\n')
    expect((await cli(['-o', file, '--resume'])).stderr).toBe(
      `formwire: ${part} is from an export of form other0000001, not of ${SURVEY}\n  resume with the same arguments, or delete the file to start from the beginning\n`,
    )
    for (const text of ['{}\n', 'x\n', 'null\n', '{']) {
      writeFileSync(part, text)
      expect(await cli(['-o', file, '--resume'])).toMatchObject({ code: 2, stdout: '' })
      expect(readFileSync(part, 'utf8')).toBe(text)
    }
    expect((await cli(['--resume'])).code).toBe(2)
    expect((await cli(['-o', file, '--resume', '--status', 'in_progress'])).stderr).toMatch(
      /^formwire: --resume cannot be combined with --status in_progress\n/,
    )
    const before = service.server.app.requests.list().length
    for (const [name, format] of [
      ['all.csv', 'csv'],
      ['all.json', 'json'],
      ['all', 'csv'],
    ])
      expect(await cli(['-o', join(temporaryDirectory(), name as string), '--resume'])).toEqual({
        code: 2,
        stdout: '',
        stderr: `formwire: --resume continues NDJSON only, not ${format}\n  remove --resume, or choose a name that ends with .ndjson\n`,
      })
    expect(service.server.app.requests.list()).toHaveLength(before)
  })

  it('keeps no file when it is interrupted before the first response', async () => {
    const file = join(temporaryDirectory(), 'all.csv')
    const url = await proxy((number) => (number === 2 ? { status: 500 } : undefined))
    fill(100)
    const { code, stderr } = await cli(['-o', file, '--no-wait'], { env: { FORMWIRE_BASE_URL: url } })
    expect([code, stderr.includes('kept'), existsSync(`${file}.part`)]).toEqual([1, false, false])
  })

  it('reports that it has nothing when it is interrupted before the first response', async () => {
    const file = join(temporaryDirectory(), 'all.ndjson')
    const stop = new AbortController()
    const { Stopped } = await import('../../src/failure.ts')
    fill(250)
    const url = await proxy((number) => {
      if (number === 2) stop.abort(new Stopped('interrupted'))
      return undefined
    })
    const { code, stderr } = await cli(['-o', file], { env: { FORMWIRE_BASE_URL: url }, stop: stop.signal })
    expect([code, stderr]).toEqual([130, 'interrupted: nothing was saved\n'])
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false])
  })

  it('keeps the first pages when it is interrupted soon', async () => {
    fill(2_698)
    const file = join(temporaryDirectory(), 'all.ndjson')
    const stop = new AbortController()
    const { Stopped } = await import('../../src/failure.ts')
    const url = await proxy((number) => {
      if (number === 4) stop.abort(new Stopped('interrupted'))
      return undefined
    })
    const argv = ['-o', file]
    const { code, stderr } = await cli(argv, { env: { FORMWIRE_BASE_URL: url }, stop: stop.signal })
    expect(code).toBe(130)
    // Page 1, the oldest page, and two of the next block, which is not complete.
    expect(stderr).toBe(
      `100 responses are kept in ${file}.part; continue with --resume, which reads the other 100 again\n`,
    )
    // Arrives between the two runs.
    service.server.app.responses.create(SURVEY, { answers: [{ question_id: 'name', value: 'Late' }] })
    expect((await cli([...argv, '--resume'])).stderr).toBe(`2,701 responses in ${file}\n`)
    expect(readFileSync(file, 'utf8')).toBe((await cli(['--format', 'ndjson'])).stdout)
  })

  it('--resume of a complete file says so and leaves it alone: exit 0', async () => {
    const file = join(temporaryDirectory(), 'all.ndjson')
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
    expect(await cli(['-o', csv, '--json=id'])).toMatchObject({ code: 2, stdout: '' })
    expect((await cli(['-o', file, '--json=id'])).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe('{"id":1}\n{"id":2}\n')
  })
})
