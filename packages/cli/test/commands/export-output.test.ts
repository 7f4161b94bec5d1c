import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
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
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { JsonLines } from '../../src/files/json-lines.ts'
import { holdPart } from '../../src/files/part-file.ts'
import { exporting } from '../support/exporting.ts'
import { NOON, outcome, runCli } from '../support/run-cli.ts'
import { eachService, type Service, SURVEY } from '../support/service.ts'

const service = eachService({ limits: 'off' })

const { cli, fill, stoppedAt, through } = exporting(() => service)

describe('formwire responses export --output', () => {
  it('writes the file when it is complete, in every format', async () => {
    const folder = temporaryDirectory()
    for (const format of ['csv', 'ndjson', 'json']) {
      const file = join(folder, `all.${format}`)
      writeFileSync(file, 'old')
      expect(await cli(['--output', file, '--format', format])).toEqual(
        outcome(0, '', `replaced ${file}\n2 responses in ${file}\n`),
      )
      expect(readFileSync(file, 'utf8')).toBe((await cli(['--format', format])).stdout)
      expect(existsSync(`${file}.part`)).toBe(false)
    }
    expect((await cli(['--output', '-'])).stdout).toContain('Name,Stars')
  })

  it('replaces what a link leads to, with its mode, and refuses what is no regular file', async () => {
    const folder = temporaryDirectory()
    const file = join(folder, 'private.csv')
    writeFileSync(file, 'old', { mode: 0o600 })
    const link = join(folder, 'link.csv')
    symlinkSync(file, link)
    expect((await cli(['--output', link])).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('Name,Stars')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    const { code, stderr } = await cli(['--output', '/dev/null', '--format', 'csv'])
    expect([code, stderr]).toEqual([2, 'formwire: cannot write /dev/null: it is not a regular file\n'])
  })

  it('creates nothing for an unknown form', async () => {
    const file = join(temporaryDirectory(), 'all.csv')
    expect(
      (await runCli(['responses', 'export', 'nothere00000', '-o', file], { env: service.env })).code,
    ).toBe(3)
    expect(existsSync(`${file}.part`)).toBe(false)
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
  })

  it.each<[string, number[], Service?]>([
    ['responses export SURVEY --format ndjson', [556, 556, 556]],
    ['responses export SURVEY --format ndjson --rate 30', [2000, 2000, 2000]],
    ['responses export SURVEY --format ndjson --rate 0', []],
    ['seed pull SURVEY --rate 60', [1000, 1000, 1000]],
    // Nobody else uses a reference server.
    ['seed pull SURVEY', [], service],
  ])('[RATE-01] spreads requests evenly after the first ten: %s', async (line, expected, at) => {
    fill(1_050)
    let now = NOON
    const slept: number[] = []
    const hidden = await through((_, path) => (path.startsWith('/_app') ? { status: 404 } : undefined))
    const { code } = await runCli(line.replace('SURVEY', SURVEY), {
      env: { ...service.env, ...hidden.env, ...at?.env },
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
    const failing = await through((number) => (number > 28 ? { status: 500 } : undefined))
    const argv = ['--format', 'ndjson', '--output', file]
    const failed = await cli([...argv, '--no-wait'], failing)
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
    expect(await cli([...argv, '--resume'])).toEqual(outcome(0, '', `2,702 responses in ${file}\n`))
    expect(service.server.app.requests.list().length - before).toBeLessThan(24)
    expect(readFileSync(file, 'utf8')).toBe((await cli(['--format', 'ndjson'])).stdout)
    expect(existsSync(`${file}.part`)).toBe(false)
  })

  it.each([
    ['all.csv', 28],
    ['all.json', 28],
    // Before the first response.
    ['all.ndjson', 2],
  ])('leaves nothing of %s when it is interrupted at request %i: exit 130', async (name, request) => {
    fill(2_700)
    const folder = temporaryDirectory()
    expect(await cli(['-o', join(folder, name)], await stoppedAt(request))).toEqual(
      outcome(130, '', 'interrupted: nothing was saved\n'),
    )
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
      const refusal = `${file}.part is a link, belongs to another user, or can be changed by others`
      const refuses = async () => {
        const { code, stderr } = await cli(['-o', file, '--resume'])
        expect([code, stderr.split('\n')[0]]).toEqual([2, `formwire: ${refusal}`])
        rmSync(`${file}.part`)
      }
      await refuses()
      writeFileSync(`${file}.part`, row)
      chmodSync(`${file}.part`, 0o666)
      await refuses()
      expect(readFileSync(victim, 'utf8')).toBe(row)
      writeFileSync(`${file}.part`, row, { mode: 0o600 })
      // Only root can give a file away.
      if (process.getuid?.() === 0) {
        chownSync(`${file}.part`, 1, 1)
        await refuses()
      }
    },
  )

  it('--resume refuses the part of another form, and a damaged one', async () => {
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
  })

  it('keeps the first pages when it is interrupted soon', async () => {
    fill(2_698)
    const file = join(temporaryDirectory(), 'all.ndjson')
    const argv = ['-o', file]
    const { code, stderr } = await cli(argv, await stoppedAt(4))
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
    expect(await cli(['-o', file, '--resume'])).toEqual(
      outcome(0, '', `${file} is complete: there is no unfinished export to resume\n`),
    )
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

  it('notes a name that does not fit --format, and has the fields of --json', async () => {
    const file = join(temporaryDirectory(), 'all.ndjson')
    expect((await cli(['-o', file, '--format', 'csv'])).stderr).toBe(
      `${file} is written as csv, as --format says\n2 responses in ${file}\n`,
    )
    expect((await cli(['-o', file, '--json=id'])).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe('{"id":1}\n{"id":2}\n')
  })

  it('reports a full disk once, not by the cleanup again', async () => {
    const facts = { code: 'ENOSPC', errno: -28, syscall: 'write' }
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), facts)
    const flush = vi.spyOn(JsonLines.prototype, 'flush').mockRejectedValue(full)
    onTestFinished(() => flush.mockRestore())
    const file = join(temporaryDirectory(), 'all.ndjson')
    expect(await cli(['-o', file])).toEqual(
      outcome(1, '', `formwire: cannot use ${file}: no space left on device\n`),
    )
  })
})
