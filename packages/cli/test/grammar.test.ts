import { describe, expect, it } from 'vitest'
import { runCli } from './support/run-cli.ts'

const env = { FORMWIRE_BASE_URL: 'http://127.0.0.1:1', FORMWIRE_API_KEY: 'svc_test' }

describe('wrong usage: exit 2, a word on what to do, nothing on stdout', () => {
  it.each([
    [['formz'], "formwire: unknown command 'formz'\n  Did you mean forms?\n"],
    [['forms', 'lst'], "formwire: unknown command 'lst'\n  Did you mean list?\n"],
    [['forms', 'list', '--lmit', '3'], "formwire: unknown option '--lmit'\n  Did you mean --limit?\n"],
    [
      ['forms', 'get'],
      "formwire: missing required argument 'form'\n  add --help to see what the command takes\n",
    ],
    [['forms', 'list', '--limit', '0'], 'formwire: --limit takes a whole number from 1, not "0"\n'],
    [['responses', 'get', 'F', 'abc'], 'formwire: the id of a response is a whole number, not "abc"\n'],
    [
      ['responses', 'export', 'F', '--format', 'xml'],
      'formwire: --format takes csv, ndjson, json, not "xml"\n',
    ],
    [['responses', 'export', 'F', '--json', '--format', 'csv'], undefined],
    [['listen', '--public-url', 'https://x.example.com'], undefined],
    [['listen', '--respond', '99'], undefined],
    [['replay', 'one.json'], undefined],
    [['completion', 'tcsh'], 'formwire: no completion for "tcsh"\n  it is there for bash, zsh, fish\n'],
  ])('%j', async (argv, stderr) => {
    const result = await runCli(argv, { env })
    expect(result.code).toBe(2)
    expect(result.stdout).toBe('')
    if (stderr !== undefined && !argv.includes('--json')) expect(result.stderr).toBe(stderr)
  })

  it('without a command it says so, and below a noun what it takes', async () => {
    expect(await runCli([], { env })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'formwire: a command is missing\n  formwire --help lists them all\n',
    })
    expect(await runCli(['webhooks'], { env })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'formwire: formwire webhooks needs one of: list, create, delete\n  formwire webhooks --help says what they do\n',
    })
  })

  it('tells it as JSON with --json, wherever that stands', async () => {
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
        },
      })
      expect(result.stdout).toBe('')
    }
  })

  it('[AUTH-02] takes no key from the command line, and does not repeat one in the error', async () => {
    for (const argv of [
      ['--api-key=svc_topsecret', 'whoami'],
      ['login', 'svc_topsecret'],
      ['svc_topsecret'],
    ]) {
      for (const more of [[], ['--json']]) {
        const result = await runCli([...argv, ...more], { env })
        expect(result.code).toBe(2)
        expect(result.stdout + result.stderr).not.toContain('topsecret')
      }
    }
  })
})

describe('help', () => {
  it('of the program names every command and exit code, on stdout', async () => {
    const { code, stdout, stderr } = await runCli(['--help'])
    expect([code, stderr]).toEqual([0, ''])
    for (const word of [
      'whoami',
      'login',
      'logout',
      'forms',
      'responses',
      'webhooks',
      'deliveries',
      'listen',
      'replay',
      'serve',
      'conformance',
      'completion',
    ]) {
      expect(stdout).toMatch(new RegExp(`^  ${word} `, 'm'))
    }
    expect(stdout).not.toContain('__complete')
    expect(stdout).toContain('  130  interrupted')
  })

  it('of a command has its arguments, options, global options, an example and its exit codes', async () => {
    const { stdout } = await runCli(['responses', 'delete', '--help'])
    expect(stdout).toContain('Usage: formwire responses delete [options] <form> <id>')
    expect(stdout).toContain('  --base-url <url>')
    expect(stdout).toContain('  $ formwire responses delete 8hTq2LmVx4Rb 42 --yes\n')
    expect(stdout).toContain(
      'Exit codes: 0 done · 1 failed · 2 wrong usage · 3 not found · 4 not authenticated',
    )
  })

  it('formwire help COMMAND is the same', async () => {
    for (const argv of [['forms', 'list'], ['forms'], ['listen']]) {
      const [asked, given] = [await runCli(['help', ...argv]), await runCli([...argv, '--help'])]
      expect(asked).toEqual(given)
      expect(asked.code).toBe(0)
    }
  })

  it('--version prints the version alone', async () => {
    const { stdout, code } = await runCli(['forms', 'list', '--version'])
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(code).toBe(0)
  })
})

describe('global options', () => {
  it('stand before or after the command', async () => {
    for (const argv of [
      ['--base-url', 'ftp://x', 'whoami'],
      ['whoami', '--base-url', 'ftp://x'],
      ['forms', '--base-url', 'ftp://x', 'list'],
    ]) {
      expect(await runCli(argv)).toEqual({
        code: 2,
        stdout: '',
        stderr: 'formwire: the base URL must be http or https, not ftp\n',
      })
    }
  })
})
