import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/all-commands.ts'
import { type Command, descriptionOf, flagsOf, type OptionSpec } from '../src/command.ts'
import { runCli } from './support/run-cli.ts'

const env = { FORMWIRE_BASE_URL: 'http://127.0.0.1:1', FORMWIRE_API_KEY: 'svc_test' }

describe('a usage error', () => {
  it.each([
    [['constructor'], `formwire: unknown command 'constructor'\n  Run "formwire --help" for usage.\n`],
  ])('%j: exits with 2 and suggests what to do', async (argv, stderr) => {
    expect(await runCli(argv, { env })).toEqual({ code: 2, stdout: '', stderr })
  })

  it.each([
    ['forms', 'list', '--json', 'id,title'],
    ['forms', 'get', 'F', '--json', 'title'],
  ])('%s %s: says how --json names fields', async (...argv) => {
    const { code, stderr } = await runCli(argv, { env })
    expect([code, JSON.parse(stderr).error]).toMatchObject([
      2,
      { message: `unexpected argument "${argv.at(-1)}"`, hint: `Did you mean --json=${argv.at(-1)}?` },
    ])
  })

  it.each([
    [['nothing', '--help'], "formwire: unknown command 'nothing'\n"],
    [['help', 'nothing'], "formwire: unknown command 'nothing'\n"],
    [['forms', 'nothing', '-h'], "formwire: unknown command 'forms nothing'\n"],
    [['form', '--help'], "formwire: unknown command 'form'\n  Did you mean forms?\n"],
  ])('%j: exits with 2 also when asked for help', async (argv, stderr) => {
    const result = await runCli(argv)
    expect([result.code, result.stdout]).toEqual([2, ''])
    expect(result.stderr.startsWith(stderr)).toBe(true)
  })

  it('prints the error as JSON with --json before or after the command', async () => {
    for (const argv of [
      ['--json', 'formz'],
      ['formz', '--json'],
    ]) {
      const result = await runCli(argv, { env })
      expect(JSON.parse(result.stderr)).toEqual({
        error: {
          code: 'usage',
          message: "unknown command 'formz'",
          hint: 'Did you mean forms?',
          exit_code: 2,
          help_url: 'https://formwire.example/how-to/troubleshooting.html#usage',
        },
      })
      expect(result.stdout).toBe('')
    }
  })

  it('[AUTH-02] accepts no key on the command line, and does not repeat one in the error', async () => {
    for (const [advice, ...argv] of [
      ['revoke it', '--api-key=svc_topsecret', 'whoami'],
      ['revoke it', 'login', 'svc_topsecret'],
      ['revoke it', 'svc_topsecret'],
      ['rotate it', 'trigger', 'test.ping', '--secret', 'whsec_topsecret'],
    ] as const) {
      for (const more of [[], ['--json']]) {
        const result = await runCli([...argv, ...more], { env })
        expect(result.code).toBe(2)
        expect(result.stdout + result.stderr).not.toContain('topsecret')
        expect(result.stderr).toContain(`and was visible to other processes: ${advice} in the app`)
      }
    }
  })

  it('[AUTH-02] sends no webhook secret in place of a key', async () => {
    const result = await runCli(['whoami'], { env: { ...env, FORMWIRE_API_KEY: 'whsec_topsecret' } })
    expect(result).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('FORMWIRE_API_KEY does not contain a valid API key'),
    })
  })
})

describe('help', () => {
  it('of the program lists every command and exit code, on stdout', async () => {
    const { code, stdout, stderr } = await runCli(['--help'])
    expect([code, stderr]).toEqual([0, ''])
    for (const { path } of COMMANDS.filter(({ hidden }) => !hidden))
      expect(stdout).toMatch(new RegExp(`^  ${path[0]} `, 'm'))
    expect(stdout).not.toContain('__complete')
    expect(stdout.indexOf('Examples:')).toBeLessThan(stdout.indexOf('Options:'))
    expect(stdout).toContain('  130  interrupted')
  })

  it('of a command lists its arguments, options, global options, examples and exit codes', async () => {
    const { stdout } = await runCli(['responses', 'delete', '--help'])
    expect(stdout).toContain('Usage: formwire responses delete [options] <form> [id...]')
    expect(stdout).toContain('  --base-url <url>')
    expect(stdout).toContain('  $ formwire responses delete guestvoice01 42 --yes\n')
    expect(stdout).toContain(
      'Exit codes: 0 success · 1 failed · 2 usage error · 3 not found · 4 not authenticated',
    )
  })

  it('shows --yes only where a command asks before it deletes', async () => {
    const asking = []
    for (const { path, hidden } of COMMANDS) {
      if (hidden) continue
      const { stdout } = await runCli([...path, '--help'])
      if (stdout.includes(' --yes, ')) asking.push(path.join(' '))
    }
    expect(asking).toEqual(['responses delete', 'webhooks delete', 'inbox drop', 'conformance'])
  })
  it('is printed on stdout without a command, and for a group without one: exit 0', async () => {
    const bare = await runCli([])
    expect([bare.code, bare.stderr]).toEqual([0, ''])
    expect(bare.stdout).toContain('\nUsage: formwire <command> [options]\n')
    const group = await runCli(['webhooks'])
    expect(group).toEqual(await runCli(['webhooks', '--help']))
    expect([group.code, group.stderr]).toEqual([0, ''])
    expect(group.stdout.split('\nGlobal options')[0]).toBe(`List, create and delete webhook endpoints.

Usage: formwire webhooks <command> [options]

Examples:
  $ formwire webhooks list guestvoice01
      list the endpoints of the form
  $ formwire webhooks create guestvoice01 https://hooks.example.com/formwire
      add the endpoint and print its secret
  $ formwire webhooks delete guestvoice01 7 --yes
      delete endpoint 7 without confirmation

Commands:
  list, ls    list the webhook endpoints of a form
  create      add a webhook endpoint and show its secret once
  delete, rm  delete a webhook endpoint and its delivery log
`)
  })

  it('of every command and group has its options, an example, and ends with its exit codes', async () => {
    const shown = COMMANDS.filter(({ hidden }) => !hidden)
    const groups = shown.filter(({ path }) => path.length > 1).map(({ path: [noun] }) => ({ path: [noun] }))
    for (const { path, ...command } of [...shown, ...groups]) {
      const { code, stdout } = await runCli([...path, '--help'])
      const { options = [] } = command as Pick<Command, 'options'>
      for (const option of options as readonly OptionSpec[])
        expect(stdout.replace(/\s+/g, ' ')).toContain(`${flagsOf(option)} ${descriptionOf(option)}`)
      expect([path, code]).toEqual([path, 0])
      expect(stdout).toMatch(/\nExamples:\n {2}\$ .*formwire /)
      expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
        /^Exit codes: 0 success · .*130 interrupted(?: · 143 terminated)?$/,
      )
    }
  })

  it('names an alias, which works like the command', async () => {
    expect((await runCli(['forms', 'ls', '--help'])).stdout).toContain('\nAlias: formwire forms ls\n')
    expect(await runCli(['forms', 'ls', '--help'])).toEqual(await runCli(['forms', 'list', '--help']))
    expect(await runCli(['webhooks', 'rm'])).toEqual(await runCli(['webhooks', 'delete']))
  })

  it('wraps to the width of the terminal', async () => {
    const { stdout } = await runCli(['forms', 'list', '--help'], { terminal: 60, env: { NO_COLOR: '1' } })
    const lines = stdout.split('\n').filter((line) => !/^ {2}\$/.test(line))
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60)
    expect(stdout).toContain(
      `
Exit codes: 0 success · 1 failed · 2 usage error ·
            4 not authenticated or not allowed ·
            5 rate limited · 6 could not reach the server ·
            130 interrupted
`,
    )
    const narrow = await runCli(['forms', 'list', '--help'], { terminal: 40, env: { NO_COLOR: '1' } })
    expect(narrow.stdout).toContain(`
Exit codes: 0 success · 1 failed ·
            2 usage error · 4 not
            authenticated or not
            allowed · 5 rate limited · 6
            could not reach the server ·
            130 interrupted
`)
  })

  it('has bold headings and coloured placeholders on a terminal', async () => {
    const { stdout } = await runCli(['forms', 'get', '--help'], { terminal: 80 })
    expect(stdout).toContain('\u001b[1mUsage:\u001b[22m formwire forms get \u001b[36m[options]\u001b[39m ')
    expect(stdout).toContain('\n\u001b[1mGlobal options (see "formwire help"):\u001b[22m\n')
    expect(stdout).toContain('  --base-url \u001b[36m<url>\u001b[39m, ')
    expect(stdout).toMatch(/^ {2}\S+form {2}\S+id of the form$/m)
    expect(stdout).toContain('\n\u001b[1mFields of --json:\u001b[22m id, title, ')
    const plain = await runCli(['forms', 'get', '--help', '--no-color'], { terminal: 80 })
    expect(stripVTControlCharacters(stdout)).toBe(plain.stdout)
    const group = await runCli(['responses', '--help'], { terminal: 80 })
    const root = await runCli(['help'], { terminal: 80 })
    expect(root.stdout).toContain('formwire responses export \u001b[36mFORM\u001b[39m --output')
    expect(group.stdout).toContain('\nRun "formwire responses \u001b[36m<command>\u001b[39m --help"')
  })

  it('is shown like that in a usage error, too', async () => {
    const { stderr } = await runCli(['forms', 'rename'], { terminal: 80, errorTerminal: true })
    expect(stderr).toBe(
      `\u001b[31m✗\u001b[39m missing required argument 'form'
  \u001b[1mUsage:\u001b[22m formwire forms rename \u001b[36m[options]\u001b[39m \u001b[36m<form>\u001b[39m \u001b[36m<title>\u001b[39m
  form: id of the form
`,
    )
  })

  it.each([
    ['NO_COLOR', [], { NO_COLOR: '1' }],
    ['CLICOLOR=0', [], { CLICOLOR: '0' }],
    ['--no-color', ['--no-color'], { FORCE_COLOR: '1' }],
  ] as const)('has no escape sequence with %s, nor has an error', async (_how, options, env) => {
    const lines = COMMANDS.filter(({ passThrough }) => !passThrough).map(({ path }) => [...path, '--help'])
    for (const line of [...lines, ['help'], ['forms'], ['forms', 'lst'], ['forms', 'rename'], ['whoami']]) {
      const { stdout, stderr } = await runCli([...line, ...options], {
        env,
        terminal: 80,
        errorTerminal: true,
      })
      expect(stdout + stderr).not.toContain('\u001b')
    }
  })

  it('formwire help COMMAND prints the same help', async () => {
    for (const argv of [['forms', 'list'], ['forms'], ['listen']]) {
      const [asked, given] = [await runCli(['help', ...argv]), await runCli([...argv, '--help'])]
      expect(asked).toEqual(given)
      expect(asked.code).toBe(0)
    }
  })

  it('--version and -v print only the version', async () => {
    for (const argv of [['forms', 'list', '--version'], ['--version'], ['-v']]) {
      const { stdout, code } = await runCli(argv)
      expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
      expect(code).toBe(0)
    }
  })
})

describe('global options', () => {
  it('are accepted before or after the command', async () => {
    for (const argv of [
      ['--base-url', 'ftp://x', 'whoami'],
      ['whoami', '--base-url', 'ftp://x'],
      ['forms', '--base-url', 'ftp://x', 'list'],
    ]) {
      expect(await runCli(argv)).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'formwire: the base URL must begin with https:// or http://, got ftp://\n  pass the root of the service, for example https://forms.example.com\n',
      })
    }
  })
})
