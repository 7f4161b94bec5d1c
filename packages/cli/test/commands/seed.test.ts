import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { Stopped } from '../../src/failure.ts'
import { hostileService } from '../support/hostile-service.ts'
import { type CliOptions, NOON, runCli } from '../support/run-cli.ts'
import { fill, readSeed, runSeed, seedService, type Written } from '../support/seed.ts'
import { behind, PARTY, type Service, SURVEY } from '../support/service.ts'
import { until } from '../support/wait.ts'

let service: Service
let directory: string
let file: string
beforeEach(async () => {
  ;({ service, directory, file } = await seedService())
})

const cli = (argv: readonly string[], options: CliOptions = {}) => runSeed(service, argv, options)
const written = (): Written => readSeed(file)
const answersOf = (seed: Written, form = SURVEY) =>
  seed.workspaces[0]?.forms
    .find(({ id }) => id === form)
    ?.responses.map(({ answers }) => answers.map(({ value }) => value))

describe('seed pull', () => {
  it('writes a scrubbed seed and reports what was done with each question', async () => {
    const report = join(directory, 'report.json')
    const { code, stdout, stderr } = await cli(['pull', SURVEY, PARTY, '--out', file, '--report', report])
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toBe(
      `form ${SURVEY} "Customer survey": 2 responses
  replaced name (short_text, 1 answer)
  kept     stars (rating, 2 answers)
  replaced why (long_text, 1 answer)
form ${PARTY} "Party": 0 responses, no questions: no response shows any
5 requests
wrote ${file}
`,
    )
    expect(JSON.parse(readFileSync(report, 'utf8'))).toEqual({
      forms: [
        {
          id: SURVEY,
          title: 'Customer survey',
          responses: 2,
          questions: [
            { id: 'name', type: 'short_text', action: 'replaced', values: 1 },
            { id: 'stars', type: 'rating', action: 'kept', values: 2 },
            { id: 'why', type: 'long_text', action: 'replaced', values: 1 },
          ],
          unknown: [],
        },
        { id: PARTY, title: 'Party', responses: 0, questions: [], unknown: [] },
      ],
      scrubbed: true,
      requests: 5,
    })
    const text = readFileSync(file, 'utf8')
    for (const original of ['bo@example.com', 'Fast', 'ada@example.com', 'Ada Byron'])
      expect(text).not.toContain(original)
    expect(written()).toMatchObject({ version: 2, source: { base_url: service.url, scrubbed: 'normal' } })
    expect(answersOf(written())).toMatchObject([
      [expect.stringMatching(/^[A-Z][a-z]$/), 4],
      [5, expect.any(String)],
    ])
    expect(readdirSync(directory).sort()).toEqual(['report.json', 'seed.json'])
  })

  it.each([[[]], [['--out', '-']]])('prints the seed on stdout with %j', async (out) => {
    const { code, stdout } = await cli(['pull', SURVEY, ...out])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ version: 2, workspaces: [{ forms: [{ id: SURVEY }] }] })
    expect(existsSync('-')).toBe(false)
  })

  it('--no-scrub keeps everything, warns, and writes a file that only its owner can read', async () => {
    writeFileSync(file, 'a good file', { mode: 0o644 })
    const { code, stderr } = await cli(['pull', SURVEY, '--drafts', '--no-scrub', '--out', file])
    expect(code).toBe(0)
    expect(stderr).toContain(`${file} contains personal data: every answer`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(answersOf(written())).toEqual([['Cy'], ['Bo', 4], [5, 'Fast,\n"kind"']])
  })

  it('--no-scrub moves times with --shift, and neither uses nor creates a key file', async () => {
    const key = join(directory, 'seed.key')
    const argv = ['pull', SURVEY, '--no-scrub', '--shift', '1d', '--key-file', key, '--out', file]
    const { code, stderr } = await cli(argv)
    expect(code).toBe(0)
    expect(stderr).toContain('--key-file is not used: --no-scrub replaces nothing\n')
    expect(existsSync(key)).toBe(false)
    expect(written().workspaces[0]?.forms[0]?.responses).toMatchObject([
      { submitted_at: '2026-11-22T09:00:00.000Z', answers: [{ value: 'Bo' }, { value: 4 }] },
      { submitted_at: '2026-11-22T11:30:00.000Z' },
    ])
  })

  it('--keep, --replace, --shift and --limit do what they say', async () => {
    const kept = ['--keep', `${SURVEY}.why`, '--replace', `${SURVEY}.stars`, '--shift', '-1d', '--limit', '1']
    expect((await cli(['pull', SURVEY, ...kept, '--out', file])).code).toBe(0)
    expect(written().source.kept).toEqual([`${SURVEY}.why`])
    expect(written().workspaces[0]?.forms[0]).toMatchObject({
      response_count: 2,
      responses: [
        { id: 2, submitted_at: '2026-11-20T11:30:00.000Z', answers: [{}, { value: 'Fast,\n"kind"' }] },
      ],
    })
  })

  it('gives a value the same pseudonym in every pull with a key file, and another one without', async () => {
    const key = join(directory, 'seed.key')
    const pulled = async (...more: string[]) =>
      answersOf(JSON.parse((await cli(['pull', SURVEY, ...more])).stdout))
    const first = await pulled('--key-file', key)
    expect(statSync(key).mode & 0o777).toBe(0o600)
    expect(await pulled('--key-file', key)).toEqual(first)
    expect(await pulled()).not.toEqual(first)
    writeFileSync(key, 'short')
    expect(await cli(['pull', SURVEY, '--key-file', key])).toMatchObject({
      code: 2,
      stderr: `formwire: ${key} has 5 bytes; a key has at least 16\n`,
    })
  })

  it.each([
    ['when one is unknown', []],
    ['when one that has a question to keep is unknown', ['--keep', 'nothere00000.why']],
  ])('pulls the other forms %s, and exits with 3', async (_, named) => {
    const { code, stderr } = await cli(['pull', 'nothere00000', SURVEY, ...named, '--out', file])
    expect(code).toBe(3)
    expect(stderr).toContain('formwire: form nothere00000 not found\n  the other forms were pulled')
    expect(written().workspaces[0]?.forms.map(({ id }) => id)).toEqual([SURVEY])
    expect((await cli(['pull', 'nothere00000'])).code).toBe(3)
  })

  it('names questions to keep or replace that no response answers, and pulls all the same', async () => {
    const argv = ['pull', SURVEY, '--keep', `${SURVEY}.wyh`, '--replace', `${SURVEY}.2`, '--out', file]
    const report = join(directory, 'report.json')
    const { code, stderr } = await cli([...argv, '--report', report])
    expect(code).toBe(0)
    const unanswered = '  no response answers the question to keep or replace: '
    expect(stderr).toContain(`${unanswered}wyh (0; did you mean why?)\n${unanswered}2 (0)\n`)
    expect(JSON.parse(readFileSync(report, 'utf8')).forms[0].unknown).toEqual([
      { id: 'wyh', why: 'unanswered', values: 0 },
      { id: '2', why: 'unanswered', values: 0 },
    ])
  })

  it('refuses the part file of an earlier pull with its age, and starts over with --restart', async () => {
    writeFileSync(`${file}.part`, 'anything')
    utimesSync(`${file}.part`, NOON / 1000, NOON / 1000 - 26 * 3600)
    const argv = ['pull', SURVEY, '--out', file]
    expect(await cli(argv)).toEqual({
      code: 2,
      stdout: '',
      stderr: `formwire: ${file}.part is from an unfinished pull, last written 1 day ago
  continue it with --resume, or throw it away with --restart to start from the beginning
`,
    })
    expect((await cli([...argv, '--resume'])).stderr).toBe(
      `formwire: ${file}.part is damaged\n  start from the beginning with --restart\n`,
    )
    expect(await cli([...argv, '--restart'])).toMatchObject({ code: 0 })
    expect(await cli([...argv, '--restart'])).toMatchObject({ code: 0 })
    expect(readdirSync(directory)).toEqual(['seed.json'])
  })

  it('refuses a part file that a running pull holds, with any option', async () => {
    const stop = new AbortController()
    service.server.app.faults.add({ path: '/api/v1/me', delay_ms: 60_000 })
    const argv = ['pull', SURVEY, '--out', file]
    const running = cli(argv, { stop: stop.signal })
    await until('the part file', () => existsSync(`${file}.part`))
    const held = `formwire: ${file}.part is in use by process ${process.pid} on `
    for (const more of [[], ['--resume'], ['--restart']]) {
      const { code, stderr } = await cli([...argv, ...more])
      expect([code, stderr.slice(0, held.length)]).toEqual([2, held])
    }
    stop.abort(new Stopped('interrupted'))
    expect(await running).toMatchObject({ code: 130 })
    service.server.app.faults.clear()
    expect(await cli([...argv, '--resume'])).toMatchObject({ code: 0 })
    expect(readdirSync(directory)).toEqual(['seed.json'])
  })

  it('keeps what it has after a failure, and --resume continues to the same seed', async () => {
    fill(service, 450)
    const argv = ['pull', PARTY, '--no-scrub', '--out', file]
    await cli(argv)
    const whole = written()
    writeFileSync(file, 'a good file')
    const failing = await stoppedAfter(4, argv)
    expect(failing.code).toBe(6)
    expect(failing.stderr).toContain(`what was read is kept in ${file}.part; continue with --resume`)
    expect(readFileSync(file, 'utf8')).toBe('a good file')
    expect((await cli(argv)).stderr).toContain(`${file}.part is from an unfinished pull`)
    failing.recover()
    const { env } = failing
    expect((await cli([...argv.slice(0, 2), '--resume', '--out', file], { env })).stderr).toContain(
      'a pull with other arguments',
    )
    expect((await cli([...argv, '--resume'], { env })).code).toBe(0)
    expect(answersOf(written(), PARTY)).toEqual(answersOf(whole, PARTY))
    expect(written().workspaces).toEqual(whole.workspaces)
    expect(existsSync(`${file}.part`)).toBe(false)
  })

  it('leaves no part file and no key after a start that failed', async () => {
    const wrong = { ...service.env, FORMWIRE_API_KEY: `svc_${'x'.repeat(40)}` }
    const refused = await cli(['pull', SURVEY, '--out', file], { env: wrong })
    expect([refused.code, readdirSync(directory)]).toEqual([4, []])
    expect(refused.stderr).toContain('nothing was read\n')
    expect(refused.stderr).not.toContain('is kept')
    expect(await cli(['pull', 'nothere00000', '--out', file])).toMatchObject({ code: 3 })
    expect(await cli(['pull', SURVEY, '--out', file])).toMatchObject({ code: 0 })
  })

  it('removes a key file that it has created when it fails before it reads, and no other', async () => {
    const key = join(directory, 'seed.key')
    const argv = ['pull', SURVEY, '--key-file', key, '--out']
    expect(await cli([...argv, join(directory, 'missing', 'seed.json')])).toMatchObject({ code: 2 })
    const wrong = { ...service.env, FORMWIRE_API_KEY: `svc_${'x'.repeat(40)}` }
    expect(await cli([...argv, file], { env: wrong })).toMatchObject({ code: 4 })
    expect(readdirSync(directory)).toEqual([])
    expect(await cli(['pull', PARTY, '--key-file', key, '--out', file])).toMatchObject({ code: 0 })
    expect(await cli([...argv, file], { env: wrong })).toMatchObject({ code: 4 })
    expect(readdirSync(directory).sort()).toEqual(['seed.json', 'seed.key'])
  })

  it('--resume refuses another service, and continues with the instant of the first start', async () => {
    fill(service, 250, NOON - 250_000)
    const argv = ['pull', PARTY, '--since', '7d', '--out', file]
    const { env, recover } = await stoppedAfter(3, argv)
    expect(await cli([...argv, '--resume'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`is from a pull of ${env.FORMWIRE_BASE_URL}, not of ${service.url}`),
    })
    recover()
    expect(await cli([...argv, '--resume'], { env, now: NOON + 3_600_000 })).toMatchObject({ code: 0 })
    expect(written().source.since).toBe('2026-11-14T12:00:00.000Z')
  })

  const fullDisk = (): Error =>
    Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      errno: -28,
      syscall: 'write',
    })
  const fileHandle = async (): Promise<FileHandle> => {
    const probe = await open(join(temporaryDirectory(), 'probe'), 'w')
    await probe.close()
    return Object.getPrototypeOf(probe)
  }

  it('leaves no key file that a full disk has cut off', async () => {
    const spy = vi.spyOn(await fileHandle(), 'writeFile').mockRejectedValue(fullDisk())
    onTestFinished(() => spy.mockRestore())
    const key = join(directory, 'seed.key')
    expect(await cli(['pull', SURVEY, '--key-file', key, '--out', file])).toMatchObject({
      code: 1,
      stderr: `formwire: cannot use ${key}: no space left on device\n`,
    })
    expect(readdirSync(directory)).toEqual([])
  })

  it('names the file on a full disk, and says what is kept', async () => {
    const prototype = await fileHandle()
    const append = prototype.appendFile
    const spy = vi.spyOn(prototype, 'appendFile').mockImplementation(async function (
      this: FileHandle,
      ...given
    ) {
      if (spy.mock.calls.length > 1) throw fullDisk()
      return await append.apply(this, given)
    })
    onTestFinished(() => spy.mockRestore())
    const { code, stderr } = await cli(['pull', SURVEY, '--out', file])
    expect(code).toBe(1)
    expect(stderr).toContain(`cannot use ${file}.part: no space left on device\n`)
    expect(stderr).toContain(`what was read is kept in ${file}.part; continue with --resume`)
    expect(stderr).not.toContain('cleanup failed')
  })

  it('--json prints the report on stdout when the seed goes to a file', async () => {
    const report = join(directory, 'report.json')
    const { stdout } = await cli(['pull', SURVEY, '--out', file, '--report', report, '--json'])
    expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(report, 'utf8')))
  })

  it('prints no value of a service whose responses it cannot read', async () => {
    const env = await hostileService({
      id: 1,
      name: 'secret',
      email: 'secret@example.com',
      user: {},
      workspace: {},
    })
    const { code, stderr } = await runCli(['seed', 'pull', SURVEY], { env })
    expect(code).not.toBe(0)
    expect(stderr).not.toContain('secret')
  })
})

/** Runs a command line against a service, not a reference server, that fails after some requests. */
async function stoppedAfter(requests: number, argv: readonly string[], options: CliOptions = {}) {
  let isFailing = true
  const failing = await behind(service, (number, { pathname }) => {
    if (isFailing && number > requests) return { status: 500 }
    return pathname.startsWith('/_app') ? { status: 404 } : undefined
  })
  const env = { ...service.env, NO_COLOR: '1', FORMWIRE_BASE_URL: failing }
  const recover = () => {
    isFailing = false
  }
  return { ...(await runCli(['--no-wait', 'seed', ...argv], { env, ...options })), env, recover }
}
