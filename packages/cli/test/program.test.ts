import { describe, expect, it } from 'vitest'
import { runCli } from './support/run-cli.ts'

const env = { FORMWIRE_BASE_URL: 'http://127.0.0.1:1', FORMWIRE_API_KEY: 'svc_test' }

describe('a usage error', () => {
  it.each([
    [['formz'], "formwire: unknown command 'formz'\n  Did you mean forms?\n"],
    [['forms', 'lst'], "formwire: unknown command 'lst'\n  Did you mean list?\n"],
    [['forms', 'list', '--lmit', '3'], "formwire: unknown option '--lmit'\n  Did you mean --limit?\n"],
    [
      ['forms', 'get'],
      `formwire: missing required argument 'form'\n  Run "formwire forms get --help" for usage.\n`,
    ],
    [['forms', 'list', '--limit', '0'], 'formwire: --limit must be a positive integer, got "0"\n'],
    [['responses', 'get', 'F', 'abc'], 'formwire: the response id must be an integer, got "abc"\n'],
    [
      ['responses', 'export', 'F', '--format', 'xml'],
      'formwire: --format must be one of csv, ndjson, json, got "xml"\n',
    ],
    [['responses', 'export', 'F', '--json', '--format', 'csv'], undefined],
    [['listen', '--public-url', 'https://x.example.com'], undefined],
    [['listen', '--respond', '99'], undefined],
    [['replay', 'one.json'], undefined],
    [['completion', 'tcsh'], 'formwire: no completion for "tcsh"\n  supported shells: bash, zsh, fish\n'],
  ])('%j: exits with 2 and suggests what to do', async (argv, stderr) => {
    const result = await runCli(argv, { env })
    expect(result.code).toBe(2)
    expect(result.stdout).toBe('')
    if (stderr !== undefined && !argv.includes('--json')) expect(result.stderr).toBe(stderr)
  })

  it('lists the commands of a group without a command: exit 2', async () => {
    expect(await runCli([], { env })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'formwire: missing command\n  Run "formwire --help" for usage.\n',
    })
    expect(await runCli(['webhooks'], { env })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'formwire: "formwire webhooks" requires a command: list, create, delete\n  Run "formwire webhooks --help" for usage.\n',
    })
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
        },
      })
      expect(result.stdout).toBe('')
    }
  })

  it('[AUTH-02] accepts no key on the command line, and does not repeat one in the error', async () => {
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
  it('of the program lists every command and exit code, on stdout', async () => {
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

  it('of a command lists its arguments, options, global options, examples and exit codes', async () => {
    const { stdout } = await runCli(['responses', 'delete', '--help'])
    expect(stdout).toContain('Usage: formwire responses delete [options] <form> <id>')
    expect(stdout).toContain('  --base-url <url>')
    expect(stdout).toContain('  $ formwire responses delete 8hTq2LmVx4Rb 42 --yes\n')
    expect(stdout).toContain(
      'Exit codes: 0 success · 1 failed · 2 usage error · 3 not found · 4 not authenticated',
    )
  })

  it('formwire help COMMAND prints the same help', async () => {
    for (const argv of [['forms', 'list'], ['forms'], ['listen']]) {
      const [asked, given] = [await runCli(['help', ...argv]), await runCli([...argv, '--help'])]
      expect(asked).toEqual(given)
      expect(asked.code).toBe(0)
    }
  })

  it('--version prints only the version', async () => {
    const { stdout, code } = await runCli(['forms', 'list', '--version'])
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(code).toBe(0)
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
        stderr: 'formwire: the base URL must be http or https, got ftp\n',
      })
    }
  })
})
