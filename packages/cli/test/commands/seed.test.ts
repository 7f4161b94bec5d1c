import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { hostileService } from '../support/hostile-service.ts'
import { type CliOptions, NOON, runCli } from '../support/run-cli.ts'
import { PARTY, type Service, SURVEY, startService } from '../support/service.ts'

let service: Service
let directory: string
let file: string
beforeEach(async () => {
  service = await startService({ limits: 'off' })
  directory = temporaryDirectory()
  file = join(directory, 'seed.json')
})
afterEach(() => service.server.close())

const cli = (argv: readonly string[], options: CliOptions = {}) =>
  runCli(['seed', ...argv], { env: { ...service.env, NO_COLOR: '1' }, ...options })

interface Written {
  source: { scrubbed: unknown; kept?: string[]; since?: string }
  workspaces: {
    forms: { id: string; responses: { id: number; email?: string; answers: { value: unknown }[] }[] }[]
  }[]
}

const written = (path = file): Written => JSON.parse(readFileSync(path, 'utf8'))
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

  it('pulls the other forms when one is unknown, and exits with 3', async () => {
    const { code, stderr } = await cli(['pull', 'nothere00000', SURVEY, '--out', file])
    expect(code).toBe(3)
    expect(stderr).toContain('formwire: form nothere00000 not found\n  the other forms were pulled')
    expect(written().workspaces[0]?.forms.map(({ id }) => id)).toEqual([SURVEY])
    expect((await cli(['pull', 'nothere00000'])).code).toBe(3)
  })

  it('says of an unknown form that it was not found, not that its question to keep is unknown', async () => {
    const named = ['--keep', 'nothere00000.why', '--replace', 'nothere00000.stars']
    const { code, stderr } = await cli(['pull', 'nothere00000', SURVEY, ...named, '--out', file])
    expect(code).toBe(3)
    expect(stderr).toContain('formwire: form nothere00000 not found\n  the other forms were pulled')
    expect(written().workspaces[0]?.forms.map(({ id }) => id)).toEqual([SURVEY])
  })

  it.each([
    [['pull'], 'missing form id'],
    [['pull', SURVEY, '--all'], '--all cannot be combined with form ids'],
    [['pull', SURVEY, '--resume'], '--resume requires --out FILE'],
    [['pull', SURVEY, '--no-scrub', '--keep', 'a.b'], '--no-scrub cannot be combined with'],
    [['pull', SURVEY, '--keep', 'why'], '--keep must name a question as FORM.QUESTION, got "why"'],
    [['pull', PARTY, '--keep', `${PARTY}.why`], 'in the 0 responses pulled from form'],
    [
      ['pull', PARTY, '--replace', `${SURVEY}.why`],
      `--replace: "${SURVEY}.why" is of form ${SURVEY}, which was not pulled`,
    ],
    [['pull', PARTY, '--shift', '40000d'], '--shift must be at most 100 years'],
    [['pull', SURVEY, '--report', '-'], '--report must be a file, got "-"'],
    [['pull', SURVEY, '--scrub', 'some'], '--scrub must be one of normal, strict'],
    [['pull', SURVEY, '--out', '/nowhere/seed.json'], 'does not exist'],
  ])('exits with 2 for %j and leaves nothing behind', async (argv, message) => {
    const { code, stdout, stderr } = await cli(argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })

  it('advises to create a directory only where one is missing', async () => {
    writeFileSync(file, '{}')
    const refused = await cli(['pull', SURVEY, '--out', join(file, 'in', 'seed.json')])
    expect(refused.stderr).toContain('is not a directory\n  choose a file in another directory\n')
    const missing = await cli(['pull', SURVEY, '--out', join(directory, 'missing', 'seed.json')])
    expect(missing.stderr).toContain('does not exist\n  create the directory, or choose another file\n')
  })

  it('exits with 2 for a question that no response shows, and --resume continues with the corrected option', async () => {
    const argv = ['pull', SURVEY, '--keep', `${SURVEY}.name`, '--out', file]
    const { code, stderr } = await cli([...argv, '--keep', `${SURVEY}.wyh`, '--replace', `${SURVEY}.starts`])
    expect(code).toBe(2)
    expect(
      stderr,
    ).toBe(`formwire: --keep: no question "wyh" in the 2 responses pulled from form ${SURVEY} (did you mean "${SURVEY}.why"?); --replace: no question "starts" in the 2 responses pulled from form ${SURVEY} (did you mean "${SURVEY}.stars"?)
  to continue with --resume, remove the unknown --keep, and correct or remove the unknown --replace; to keep another question, delete the .part file and start again
what was read is kept in ${file}.part; continue with --resume
`)
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, true])
    const other = { code: 2, stderr: expect.stringContaining('is from a pull with other arguments') }
    // These answers were replaced, or kept, as they were read.
    expect(await cli([...argv, '--keep', `${SURVEY}.why`, '--resume'])).toMatchObject(other)
    expect(await cli(['pull', SURVEY, '--out', file, '--resume'])).toMatchObject(other)
    const before = service.server.app.requests.list().length
    expect(await cli([...argv, '--replace', `${SURVEY}.stars`, '--resume'])).toMatchObject({ code: 0 })
    expect(service.server.app.requests.list()).toHaveLength(before)
    expect(written().source.kept).toEqual([`${SURVEY}.name`])
    expect(answersOf(written())).toMatchObject([
      ['Bo', expect.any(Number)],
      [expect.any(Number), expect.any(String)],
    ])
    expect(existsSync(`${file}.part`)).toBe(false)
  })

  it('leaves no file after a misspelt question if there is nothing to resume', async () => {
    const misspelt = ['--keep', `${PARTY}.wyh`]
    for (const argv of [
      ['pull', PARTY, ...misspelt, '--out', file],
      ['pull', SURVEY, '--keep', `${SURVEY}.wyh`],
    ]) {
      const { code, stderr } = await cli(argv)
      expect([code, readdirSync(directory)]).toEqual([2, []])
      expect(stderr).toContain('--keep: no question "wyh" in the ')
      expect(stderr).not.toContain('--resume')
    }
  })

  it('keeps what it has after a failure, and --resume continues to the same seed', async () => {
    for (let made = 0; made < 450; made += 1)
      service.server.app.responses.create(PARTY, {
        answers: [],
        submitted_at: new Date(1e12 + made * 1000).toISOString(),
      })
    const argv = ['pull', PARTY, '--no-scrub', '--out', file]
    await cli(argv)
    const whole = written()
    writeFileSync(file, 'a good file')
    const failing = await stoppedAfter(4, argv)
    expect(failing.code).toBe(1)
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
    for (let made = 0; made < 250; made += 1)
      service.server.app.responses.create(PARTY, {
        answers: [],
        submitted_at: new Date(NOON - made * 1000).toISOString(),
      })
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

  it.each([
    ['--scrub strict --no-scrub', '--scrub cannot be combined with --no-scrub'],
    ['--no-scrub --scrub strict', '--scrub cannot be combined with --no-scrub'],
    ['--report seed.json', '--out and --report name the same file'],
    ['--key-file ./seed.json', '--out and --key-file name the same file'],
    ['--report a --key-file a', '--report and --key-file name the same file'],
  ])('refuses %s', async (words, message) => {
    const more = words
      .split(' ')
      .map((word) => (/^[a.s]/.test(word) && word !== 'strict' ? join(directory, word) : word))
    const { code, stderr } = await cli(['pull', SURVEY, '--out', file, ...more])
    expect([code, readdirSync(directory)]).toEqual([2, []])
    expect(stderr).toContain(message)
    expect(service.server.app.requests.list()).toEqual([])
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

/** Runs a command line against a service that fails after some requests. */
async function stoppedAfter(requests: number, argv: readonly string[]) {
  let seen = 0
  let isFailing = true
  const failing = createServer(async ({ url, headers }, response) => {
    seen += 1
    const { authorization = '' } = headers
    const reply = await service.server.fetch(`http://formwire.test${url}`, { headers: { authorization } })
    const fails = isFailing && seen > requests
    response.statusCode = fails ? 500 : reply.status
    response.end(fails ? '' : await reply.text())
  })
  await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void failing.close())
  const { port } = failing.address() as AddressInfo
  const env = { ...service.env, NO_COLOR: '1', FORMWIRE_BASE_URL: `http://127.0.0.1:${port}` }
  const recover = () => {
    isFailing = false
  }
  return { ...(await runCli(['--no-wait', 'seed', ...argv], { env })), env, recover }
}

describe('seed check', () => {
  const pull = (...more: string[]) => cli(['pull', SURVEY, PARTY, '--out', file, ...more])

  it('finds neither leaks nor drift in a fresh seed', async () => {
    await pull()
    expect(await cli(['check', file])).toEqual({
      code: 0,
      stdout: `${file}: 2 forms, 2 responses\n`,
      stderr: 'read 2 responses of the service to compare\n',
    })
  })

  it('finds original texts by their response and question, and never prints them', async () => {
    await pull('--no-scrub')
    const { code, stdout } = await cli(['check', file, '--json'])
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        valid: true,
        forms: 2,
        responses: 2,
        leaks: [
          { form: null, response: null, question: 'user.name' },
          { form: null, response: null, question: 'user.email' },
          { form: null, response: null, question: 'workspace.name' },
          { form: SURVEY, response: 2, question: 'why' },
          { form: SURVEY, response: 1, question: 'email' },
        ],
        drift: [],
        compared: true,
      },
    ])
    expect((await cli(['check', file])).stdout).toContain(
      '\nleak: user.name: the original text is still in the seed\n',
    )
  })

  it('lists what has changed since', async () => {
    await pull()
    service.server.app.forms.update(SURVEY, { title: 'Survey 2026' })
    service.server.app.forms.trash(PARTY)
    const { code, stdout } = await cli(['check', file])
    expect(code).toBe(1)
    expect(stdout).toBe(
      `${file}: 2 forms, 2 responses
drift: form ${PARTY} is not there any more
drift: form ${SURVEY} has changed: title
`,
    )
  })

  it('says of a raw seed that it is not scrubbed, with and without a service', async () => {
    await pull('--no-scrub', '--drafts')
    const offline = { env: { NO_COLOR: '1' } }
    expect(await cli(['check', file], offline)).toEqual({
      code: 0,
      stdout: `${file}: 2 forms, 2 responses\n`,
      stderr: `not compared with a service: no base URL\n${file} is not scrubbed: it contains personal data\n`,
    })
    const compared = await cli(['check', file])
    expect([compared.code, compared.stderr]).toEqual([
      1,
      `read 2 responses of the service to compare\n${file} is not scrubbed: it contains personal data\n`,
    ])
    const { stdout } = await cli(['check', file, '--json'], offline)
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, responses: 2, compared: false })
  })

  it('refuses a service that the seed was not pulled from, and names both', async () => {
    await pull()
    const elsewhere = {
      ...written(),
      source: { ...written().source, base_url: 'https://forms.example.com/' },
    }
    writeFileSync(file, JSON.stringify(elsewhere))
    expect(await cli(['check', file])).toEqual({
      code: 2,
      stdout: '',
      stderr: `formwire: ${file} was pulled from https://forms.example.com/, but FORMWIRE_BASE_URL is ${service.url}
  select its service with --base-url or --profile, with a key of that service; if it has moved, change source.base_url in the file
`,
    })
    expect(await cli(['check', file], { env: { NO_COLOR: '1' } })).toMatchObject({ code: 0 })
    writeFileSync(
      file,
      JSON.stringify({ ...elsewhere, source: { ...elsewhere.source, base_url: `${service.url}/` } }),
    )
    expect(await cli(['check', file])).toMatchObject({ code: 0 })
    writeFileSync(file, JSON.stringify({ ...elsewhere, source: undefined }))
    expect(await cli(['check', file])).toMatchObject({ code: 0 })
  })

  it('checks a seed without a service, and names the paths of an invalid one', async () => {
    await pull()
    const offline = { env: { NO_COLOR: '1' } }
    expect(await cli(['check', file], offline)).toMatchObject({
      code: 0,
      stderr: 'not compared with a service: no base URL\n',
    })
    writeFileSync(file, JSON.stringify({ ...written(), version: 7 }))
    expect(await cli(['check', file], offline)).toMatchObject({
      code: 1,
      stdout: `${file}: version: must be 1 or 2, got 7: written by a newer version of formwire\n`,
    })
    writeFileSync(file, '{')
    expect(await cli(['check', file], offline)).toMatchObject({
      code: 1,
      stdout: `${file}: (the seed): is not valid JSON: it ends in the middle\n`,
    })
    writeFileSync(file, '\n')
    expect(await cli(['check', file], offline)).toMatchObject({
      code: 1,
      stdout: `${file}: (the seed): is empty\n`,
    })
    writeFileSync(file, '{"version":2,}')
    expect(await cli(['check', file], offline)).toMatchObject({
      code: 1,
      stdout: `${file}: (the seed): is not valid JSON\n`,
    })
    expect((await cli(['check', join(directory, 'gone.json')], offline)).code).toBe(2)
  })
})

describe('serve --pull', () => {
  const serve = (...argv: string[]) => runCli(['serve', ...argv], { env: service.env })

  it.each([[['--help']], [['--pull', '--help']], [['-h', '--port', '0', '--pull']]])(
    'lists the options of a pull below a heading for serve %j',
    async (argv) => {
      const { code, stdout } = await serve(...argv)
      expect(code).toBe(0)
      expect(stdout).toMatch(/^Pull a service first:\n {2}--pull /m)
      expect(stdout.match(/^ {2}--[\w-]+/gm)?.map((option) => option.trim())).toEqual(
        '--pull --form --since --limit --drafts --endpoints --scrub --no-scrub --keep --replace --key-file --shift --report --observe'.split(
          ' ',
        ),
      )
    },
  )

  it.each([
    [['--form', SURVEY], '--form requires --pull'],
    [['--no-scrub'], '--no-scrub requires --pull'],
    [['--limit=3', '--port', '0'], '--limit requires --pull'],
    [['--pull', '--all', '--form', SURVEY], '--all cannot be combined with --form'],
    [['--pull', '--form'], '--form requires a value'],
    [
      ['--pull', '--json', 'harbourfest1'],
      'unexpected argument \\"harbourfest1\\"","hint":"to pull this form: formwire serve --pull --form harbourfest1"',
    ],
    [['--pull', '--port', '0', '--forms', SURVEY], "unknown option '--forms'\n  Did you mean --form?"],
    [['--pull', '--quack'], "unknown option '--quack'\n  Options: --pull, --form, --since"],
    [['--pull', '--quack'], '--observe, --port, --host'],
    [
      ['--pull', '--no-wait'],
      '--no-wait must come before serve\n  for example formwire --no-wait serve --pull',
    ],
  ])('exits with 2 for serve %j', async (argv, message) => {
    const { code, stdout, stderr } = await serve(...argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(service.server.app.requests.list()).toEqual([])
  })

  it.each([
    [['--form', 'nothere00000'], { code: 'not_found', exit_code: 3 }],
    [['--scrub', 'some'], { code: 'usage', exit_code: 2 }],
  ])('prints the error of %j as JSON with --json', async (argv, error) => {
    const { code, stdout, stderr } = await serve('--pull', ...argv, '--port', '0', '--json')
    expect([code, stdout]).toEqual([error.exit_code, ''])
    expect(JSON.parse(stderr)).toMatchObject({ error })
  })

  it('exits with 3 for an unknown form, and serves nothing', async () => {
    const { code, stdout, stderr } = await serve(
      '--pull',
      '--form',
      'nothere00000',
      '--form',
      SURVEY,
      '--port',
      '0',
    )
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain('formwire: form nothere00000 not found\n  nothing is served')
  })
})
