import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { type Finished, type Spawned, start, startProgram } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { HELP } from '../../src/root-help.ts'
import { oneService, PARTY, SURVEY } from '../support/service.ts'
import { until } from '../support/wait.ts'

const bin = inject('programs').cli
const service = oneService({ limits: 'off' })
let env: Record<string, string>
beforeAll(() => {
  env = { ...service.env, HOME: temporaryDirectory() }
})

const run = (argv: string[], more: Record<string, string | undefined> = {}, input = '') =>
  start([bin, ...argv], { ...env, ...more }, input).finished
const bash = (script: string) => startProgram('bash', ['-c', script], env, '').finished
const endpoints = () => service.server.app.webhooks.list(PARTY)

/** Closes the pipe that a program writes to, and gives it something to write until it has noticed. */
async function withoutReader(program: Spawned, cause: () => unknown): Promise<Finished> {
  const closed = once(program.child.stdout, 'close')
  program.child.stdout.destroy()
  await closed
  cause()
  // More than once: what another test starts at this moment holds a copy of the pipe until it runs, so a first line may still be taken.
  const again = setInterval(cause, 100)
  try {
    return await program.finished
  } finally {
    clearInterval(again)
  }
}

describe('exit codes of the process', () => {
  it.each<[number, string[], Record<string, string | undefined>]>([
    [0, ['forms', 'list'], {}],
    [1, ['forms', 'rename', SURVEY, 'x'.repeat(201)], {}],
    [2, ['forms', 'lst'], {}],
    [3, ['forms', 'get', 'nothere00000'], {}],
    [4, ['forms', 'list'], { FORMWIRE_API_KEY: undefined }],
    [6, ['forms', 'list'], { FORMWIRE_BASE_URL: 'http://127.0.0.1:9' }],
  ])('exits with %i for %j with %j', async (code, argv, more) => {
    const result = await run(argv, more)
    expect([result.code, result.stdout === '' || code === 0]).toEqual([code, true])
    expect(result.stderr === '' || code !== 0).toBe(true)
    expect(result.stderr).not.toContain('    at ')
  })

  it('--version and --help print to stdout', async () => {
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    const [{ full, bare }, coloured] = HELP
    expect(await run(['--help'])).toEqual({ code: 0, signal: null, stdout: full, stderr: '' })
    expect(await run([])).toEqual({ code: 0, signal: null, stdout: bare, stderr: '' })
    expect((await run(['help'], { FORCE_COLOR: '1' })).stdout).toBe(coloured.full)
  })
})

describe.skipIf(!existsSync('/dev/full'))('a full disk', () => {
  const NO_SPACE = 'no space left on device'
  const server = inject('programs')['reference-server']
  it.each<[string, string, string]>([
    ['--version', `${bin} --version`, `formwire: cannot write the output: ENOSPC: ${NO_SPACE}, write\n`],
    ['--help', `${bin} --help`, `formwire: cannot write the output: ENOSPC: ${NO_SPACE}, write\n`],
    ['a command', `${bin} forms list`, `formwire: cannot use the standard output: ${NO_SPACE}\n`],
    ['help of a command', `${bin} forms --help`, `formwire: unexpected error: ENOSPC: ${NO_SPACE}, write\n`],
    [
      'help of the server',
      `${server} --help`,
      `formwire-server: cannot write the output: ENOSPC: ${NO_SPACE}, write\n`,
    ],
  ])('is reported once by %s: exit 1', async (_name, words, message) => {
    const { code, stderr } = await bash(`"${process.execPath}" ${words} > /dev/full`)
    expect([code, stderr]).toEqual([1, message])
  })
})

describe('pipes', () => {
  it('a tail exits with 0 and no error when the reader closes the pipe', async () => {
    const tail = start([bin, 'responses', 'tail', SURVEY, '--since', '2026-11-21', '--interval', '50ms'], env)
    await tail.firstLine
    const { code, stderr } = await withoutReader(tail, () =>
      service.server.app.responses.create(SURVEY, { answers: [{ question_id: 'name', value: 'Last' }] }),
    )
    expect([code, stderr]).toEqual([0, 'waiting for responses (Ctrl-C to stop)\n'])
  })
  it('one-shot commands exit without an error when the reader closes the pipe', async () => {
    for (const argv of ['forms list --json', '--help', 'responses export survey000001']) {
      const shell = `"${process.execPath}" "${bin}" ${argv} | true; exit \${PIPESTATUS[0]}`
      const { code: status, stderr } = await bash(shell)
      expect([argv, status, stderr.replace(/^\d+ responses\n/, '')]).toEqual([argv, 0, ''])
    }
  })
  it('writes a long output completely to a slow reader', async () => {
    for (let number = 0; number < 300; number += 1) {
      service.server.app.responses.create(SURVEY, {
        answers: [{ question_id: 'why', value: 'x'.repeat(2000) }],
      })
    }
    const shell = `"${process.execPath}" "${bin}" responses list ${SURVEY} --all --json | (sleep 0.3; cat) | wc -c`
    const { stdout } = await bash(shell)
    expect(Number(stdout)).toBeGreaterThan(300 * 4000)
  })
})

describe('signals', () => {
  const command: readonly string[] = [
    '--',
    process.execPath,
    '-e',
    'console.error("up"); setInterval(() => {}, 1000)',
  ]
  it.each<['SIGINT' | 'SIGTERM' | 'SIGHUP', number, readonly string[]]>([
    ['SIGINT', 130, []],
    ['SIGHUP', 130, []],
    ['SIGTERM', 130, ['--timeout', '1h', '--count', '2']],
    ['SIGTERM', 130, ['--poll']],
    ['SIGINT', 130, ['--timeout', '1h', '--count', '2', ...command]],
  ])('%s makes listen delete its endpoint and exit with %i, with %j', async (signal, code, args) => {
    const listen = start([bin, 'listen', '--form', PARTY, ...args], env)
    await until('it to be ready', () =>
      listen.stderr.includes(args.includes('--') ? 'up\n' : '(Ctrl-C to stop)'),
    )
    listen.child.kill(signal)
    const finished = await listen.finished
    // On a busy machine, listen may print that it waits for the command: see handler-process.test.ts.
    expect([finished.code, /the command (?!to end)/.test(finished.stderr)]).toEqual([code, false])
    expect(endpoints()).toEqual([])
  })
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'a second %s a moment later ends the process while the server hangs, and names the endpoint that is left',
    async (signal) => {
      const secretFile = join(temporaryDirectory(), 'secret')
      const listen = start([bin, 'listen', '--form', PARTY, '--secret-file', secretFile], env)
      await until('it to be ready', () => listen.stderr.includes('(Ctrl-C to stop)'))
      const [endpoint] = endpoints()
      service.server.app.faults.add({ method: 'DELETE', delay_ms: 60_000, times: 1 } as never)
      listen.child.kill(signal)
      await until('the DELETE to hang', () => service.server.app.faults.list().length === 0)
      let isOver = false
      void listen.finished.then(() => {
        isOver = true
      })
      // The first of these may come so early that it is the same Ctrl-C.
      await until('the end of the process', () => {
        if (!isOver) listen.child.kill(signal)
        return isOver
      })
      const { code, stderr } = await listen.finished
      expect([code, existsSync(secretFile)]).toEqual([130, false])
      expect(stderr).toContain(`run: formwire webhooks delete ${PARTY} ${endpoint?.id} --yes\n`)
      service.server.app.faults.clear()
      for (const { id } of endpoints()) service.server.app.webhooks.delete(PARTY, id)
    },
  )
  it('a tail continues when stdin is closed', async () => {
    const tail = start([bin, 'responses', 'tail', SURVEY, '--count', '1', '--interval', '50ms'], env, '')
    await until('it to wait', () => tail.stderr.includes('waiting'))
    service.server.app.responses.create(SURVEY, { answers: [{ question_id: 'name', value: 'New' }] })
    expect((await tail.finished).code).toBe(0)
  })
})

describe('keys', () => {
  it('[AUTH-02] never appear in the output of a failing command, even with FORMWIRE_DEBUG', async () => {
    const key = 'svc_thisIsTheSecretKey0123456789'
    for (const argv of [
      ['whoami'],
      ['forms', 'list', '--json'],
      ['responses', 'tail', SURVEY],
      ['login', '--with-key'],
    ]) {
      const result = await run(argv, { FORMWIRE_API_KEY: key, FORMWIRE_DEBUG: '1' }, `${key}\n`)
      expect(result.code).toBe(4)
      expect(result.stdout + result.stderr).not.toContain('thisIsTheSecretKey')
    }
  })
  it("[AUTH-02] never appear in Node's debug output", async () => {
    for (const argv of [
      ['forms', 'list'],
      ['deliveries', 'list', SURVEY, '1'],
    ]) {
      const { code, stderr } = await run(argv, { NODE_DEBUG: 'http,https,net' })
      expect([code, stderr.includes('HTTP ')]).toEqual([0, true])
      for (const secret of [env.FORMWIRE_API_KEY, env.FORMWIRE_ADMIN_TOKEN])
        expect(stderr).not.toContain(secret)
    }
  })
})

it('a tail of deliveries uses the proxy, and names it when it cannot be reached', async () => {
  const proxy = { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '', FORMWIRE_ALLOW_INSECURE: '1' }
  const { code, stderr } = await run(['deliveries', 'tail'], {
    ...proxy,
    FORMWIRE_BASE_URL: 'http://service.test',
  })
  expect([code, stderr]).toEqual([6, expect.stringContaining('(through the proxy http://127.0.0.1:1)')])
})

describe('start-up', () => {
  /** Whether ink or react is in the file. */
  const hasInk = (path: string) => /exitOnCtrlC|react\.transitional/.test(readFileSync(path, 'utf8'))

  it('does not load ink, undici, zod, the reference server or fetch for one-shot commands', async () => {
    const directory = temporaryDirectory()
    const report = join(directory, 'modules.json')
    const hook = join(directory, 'hook.cjs')
    const code = `require('node:fs').writeFileSync('${report}', JSON.stringify(process.moduleLoadList))`
    writeFileSync(hook, `process.on('exit', () => ${code})`)
    const built = readdirSync(dirname(bin)).filter((name) => name.endsWith('.js'))
    expect(built.filter((name) => hasInk(join(dirname(bin), name)))).not.toEqual([])
    const loaderLog = join(directory, 'urls.txt')
    const loader = `import { appendFileSync } from 'node:fs'
       export async function load(url, context, next) { appendFileSync('${loaderLog}', url + '\\n'); return next(url, context) }`
    writeFileSync(join(directory, 'loader.mjs'), loader)
    const register = join(directory, 'register.mjs')
    writeFileSync(
      register,
      `import { register } from 'node:module'; register('./loader.mjs', import.meta.url)`,
    )
    for (const argv of [
      ['--version'],
      ['--help'],
      ['whoami'],
      ['forms', 'list'],
      ['forms', 'get', PARTY],
      ['responses', 'list', SURVEY, '--json'],
      ['webhooks', 'list', SURVEY],
      ['deliveries', 'list', SURVEY, '1'],
    ]) {
      writeFileSync(loaderLog, '')
      const { code: status } = await start(['--import', register, '-r', hook, bin, ...argv], env, '').finished
      expect([argv, status]).toEqual([argv, 0])
      const builtins = JSON.parse(readFileSync(report, 'utf8')) as string[]
      expect(builtins.filter((name) => /undici|internal\/deps\/fetch|child_process/.test(name))).toEqual([])
      const urls = readFileSync(loaderLog, 'utf8').split('\n')
      expect(
        urls.filter((url) =>
          /\/(?:ink|react|undici|zod|chalk|string-width|yoga-layout|reference-server)\//.test(url),
        ),
      ).toEqual([])
      const files = urls.filter((url) => url.startsWith('file:') && !url.endsWith('hook.cjs'))
      // With a token, the list of endpoints also asks the control API for their health.
      expect(files.length).toBeLessThanOrEqual(argv[0] === 'webhooks' ? 14 : 12)
      // ink is bundled: its files are known by what is in them.
      expect(files.filter((url) => hasInk(fileURLToPath(url)))).toEqual([])
    }
  })
})

describe('formwire serve', () => {
  it('behaves like formwire-server: first line, signals, exit codes', async () => {
    const served = start([bin, 'serve', '--port', '0', '--seed', 'empty', '--json'], env)
    const first = JSON.parse(await served.firstLine)
    expect(first).toMatchObject({ event: 'listening', workspace_id: 1, user_id: 1 })
    expect(
      (await run(['whoami'], { FORMWIRE_BASE_URL: first.url, FORMWIRE_API_KEY: first.write_key })).code,
    ).toBe(0)
    served.child.kill('SIGINT')
    expect((await served.finished).code).toBe(0)
    const before = start([bin, '--json', 'serve', '--port', '0', '--seed', 'empty'], env)
    expect(JSON.parse(await before.firstLine)).toMatchObject({ event: 'listening' })
    before.child.kill('SIGINT')
    await before.finished
    const wrong = await start([bin, 'serve', '--no-such-option'], env).finished
    expect(wrong.code).toBe(2)
  })
})
