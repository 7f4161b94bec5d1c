import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { type CliOptions, runCli } from '../support/run-cli.ts'
import { readSeed, runSeed, seedService } from '../support/seed.ts'
import { PARTY, type Service, SURVEY } from '../support/service.ts'

let service: Service
let directory: string
let file: string
beforeEach(async () => {
  ;({ service, directory, file } = await seedService())
})

const cli = (argv: readonly string[], options: CliOptions = {}) => runSeed(service, argv, options)

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

  it('compares with a service that this command line or the environment names, but not with that of a stored profile', async () => {
    await pull()
    const homeDir = temporaryDirectory()
    const login = ['login', '--with-key', '--base-url', service.url]
    const { FORMWIRE_API_KEY: key = '', FORMWIRE_BASE_URL: url = '' } = service.env
    expect((await runCli(login, { homeDir, stdin: key, env: {} })).code).toBe(0)
    const before = service.server.app.requests.list().length
    const checked = async (argv: string[], env: Record<string, string> = {}) => {
      const { stdout } = await cli(['check', file, '--json', ...argv], { homeDir, env })
      return JSON.parse(stdout).compared
    }
    expect(await checked([])).toBe(false)
    expect(await checked([], { FORMWIRE_API_KEY: key, FORMWIRE_BASE_URL: '' })).toBe(false)
    expect(await checked(['--offline', '--base-url', url])).toBe(false)
    expect(await checked(['--offline'], { FORMWIRE_API_KEY: key, FORMWIRE_BASE_URL: url })).toBe(false)
    expect(service.server.app.requests.list()).toHaveLength(before)
    expect(await checked(['--base-url', url])).toBe(true)
    expect(await checked(['--profile', 'default'])).toBe(true)
    expect(await checked([], { FORMWIRE_API_KEY: key, FORMWIRE_BASE_URL: url })).toBe(true)
  })

  it('refuses a service that the seed was not pulled from, and names both', async () => {
    await pull()
    const { source, ...seed } = readSeed(file)
    const write = (base_url?: string) =>
      writeFileSync(file, JSON.stringify({ ...seed, ...(base_url && { source: { ...source, base_url } }) }))
    write('https://forms.example.com/')
    expect(await cli(['check', file])).toEqual({
      code: 2,
      stdout: '',
      stderr: `formwire: ${file} was pulled from https://forms.example.com/, but FORMWIRE_BASE_URL is ${service.url}
  select its service with --base-url or --profile, with a key of that service; if it has moved, change source.base_url in the file
`,
    })
    expect(await cli(['check', file], { env: { NO_COLOR: '1' } })).toMatchObject({ code: 0 })
    write(`${service.url}/`)
    expect(await cli(['check', file])).toMatchObject({ code: 0 })
    write()
    expect(await cli(['check', file])).toMatchObject({ code: 0 })
  })

  it('checks a seed without a service, and names the paths of an invalid one', async () => {
    await pull()
    const offline = { env: { NO_COLOR: '1' } }
    expect(await cli(['check', file], offline)).toEqual({
      code: 0,
      stdout: `${file}: 2 forms, 2 responses\nnot compared with a service\n`,
      stderr: '',
    })
    for (const [text, problem] of [
      [
        JSON.stringify({ ...readSeed(file), version: 7 }),
        'version: must be 1 or 2, got 7: written by a newer version of formwire',
      ],
      ['{"version":2,}', '(the seed): is not valid JSON'],
    ] as const) {
      writeFileSync(file, text)
      expect(await cli(['check', file], offline)).toMatchObject({ code: 1, stdout: `${file}: ${problem}\n` })
    }
    expect((await cli(['check', join(directory, 'gone.json')], offline)).code).toBe(2)
  })
})

describe('serve --pull', () => {
  const serve = (...argv: string[]) => runCli(['serve', ...argv], { env: service.env })

  it('exits with 3 for an unknown form, and serves nothing', async () => {
    const forms = ['--form', 'nothere00000', '--form', SURVEY]
    const { code, stdout, stderr } = await serve('--pull', ...forms, '--port', '0')
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain('formwire: form nothere00000 not found\n  nothing is served')
  })
})
