import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { startProgram } from '../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { readFlags, UsageError } from '../src/bin/arguments.ts'
import { serve } from '../src/bin/serve.ts'
import { emptySeed } from '../src/seed/load.ts'
import { run } from './run-bin.ts'

const folder = temporaryDirectory()

describe('formwire-server', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    '[AUTH-06] prints one JSON line and exits with 0 on %s',
    async (signal) => {
      const { child, firstLine, finished } = run(
        ['--port', '0', '--seed', 'empty', '--clock', 'manual', '--json'],
        { FORMWIRE_ADMIN_TOKEN: 'from-the-environment' },
      )
      const line = JSON.parse(await firstLine) as Record<string, string>
      expect(Object.keys(line).join(' ')).toBe(
        'event url admin_token write_key read_key workspace_id user_id',
      )
      expect(line).toMatchObject({
        event: 'listening',
        admin_token: 'from-the-environment',
        workspace_id: 1,
        user_id: 1,
      })
      expect(line.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      for (const [key, scope] of [
        [line.write_key, 'write'],
        [line.read_key, 'read'],
      ]) {
        const response = await fetch(`${line.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })
        expect([
          response.status,
          ((await response.json()) as { data: { key: { scope: string } } }).data.key.scope,
        ]).toEqual([200, scope])
      }
      child.kill(signal)
      const { code, stdout, stderr } = await finished
      expect([code, stdout.trim().split('\n').length, stderr]).toEqual([0, 1, ''])
    },
  )

  it('prints the URL, the keys and two commands', async () => {
    const { child, firstLine, finished } = run(['--port', '0'])
    expect(await firstLine).toMatch(/^Formwire reference server on http:\/\/127\.0\.0\.1:\d+$/)
    child.kill('SIGINT')
    const { code, stdout } = await finished
    const [next = ''] = stdout.split('Try next:\n')[1]?.split('\n\n') ?? []
    expect([code, next.split('\n').length, new Set(stdout.match(/svc_\w{40}/g)).size]).toEqual([0, 2, 2])
  })

  it.each([
    [['--port', 'x'], '--port must be an integer from 0 to 65535, got "x".'],
    [['--port', '65536'], '--port must be an integer'],
    [['--clock', 'sundial'], '--clock must be real or manual, got "sundial".'],
    [['--address-rules', 'none'], '--address-rules must be development or production'],
    [['--rate-limits', 'low'], '--rate-limits must be default or off'],
    [['--delivery-timeout-ms', '0'], '--delivery-timeout-ms must be an integer from 1'],
    [['--route', 'x'], '--route must be FROM=TO'],
    [['--unspecified', 'random:'], 'unspecified must be default, random:SEED'],
    [
      ['--unspecified', 'no-such-file.json'],
      '--unspecified no-such-file.json: cannot read the file (ENOENT).',
    ],
    [['--seed', 'no-such-file.json'], '--seed no-such-file.json: cannot read the file (ENOENT).'],
    [['--now', '2026-01-01'], '--now requires --clock manual.'],
    [
      ['--clock', 'manual', '--now', 'yesterday'],
      '--now must be an ISO 8601 date or date-time, such as 2026-11-21T09:30:00Z, got "yesterday".',
    ],
    [['--now', 'soon'], 'got "soon".'],
    [['--nothing'], 'Unknown option "--nothing"; known: --port, '],
    [['--prot', '1'], 'Unknown option "--prot"; did you mean "--port"?'],
    [['extra'], "Unexpected argument 'extra'"],
  ])('rejects %j with a usage error', async (args, message) => {
    const attempt = async () => serve(readFlags(args, {}))
    const refused = await attempt().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(UsageError)
    expect((refused as UsageError).message).toContain(message)
  })

  it('exits with 2 after a usage error, with the reason on stderr and nothing on stdout', async () => {
    expect(await run(['--port', 'x']).finished).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: 'formwire-server: --port must be an integer from 0 to 65535, got "x".\n',
    })
  })

  it('reads a seed from the pipe of a shell', async () => {
    const { code, stderr } = await startProgram(
      'bash',
      [
        '-c',
        '"$0" "$1" --seed <(sleep 0.1; echo [])',
        process.execPath,
        inject('programs')['reference-server'],
      ],
      {},
      '',
    ).finished
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--seed \/dev\/fd\/\d+: .*expected object/s)])
  })

  it('reports the path in an invalid seed, and rejects a file that is not JSON without quoting it', async () => {
    const seed = join(folder, 'seed.json')
    const questions = [{ id: 'q', type: 'rating', title: 'Q' }]
    const forms = [{ title: 'F', questions, responses: [{ answers: [{ question_id: 'q', value: 11 }] }] }]
    const [workspace] = emptySeed().workspaces
    await writeFile(seed, JSON.stringify({ ...emptySeed(), workspaces: [{ ...workspace, forms }] }))
    await expect(serve(readFlags(['--seed', seed], {}))).rejects.toThrow(
      'workspaces[0].forms[0].responses[0].answers[0]',
    )
    const broken = join(folder, 'broken.json')
    await writeFile(broken, '{"key": "svc_topsecret0000000000", }')
    const { code, stderr } = await run(['--seed', broken]).finished
    expect([code, stderr]).toEqual([2, `formwire-server: --seed ${broken}: the file is not valid JSON.\n`])
  })
})
