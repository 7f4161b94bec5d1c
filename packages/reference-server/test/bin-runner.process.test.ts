import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'

let folder: string

beforeAll(() => {
  folder = temporaryDirectory()
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(inject('programs')['reference-server'], join(folder, 'node_modules/.bin/formwire-server'))
  symlinkSync(inject('programs').cli, join(folder, 'node_modules/.bin/formwire'))
  writeFileSync(
    join(folder, 'package.json'),
    '{ "private": true, "scripts": { "start": "formwire-server" } }',
  )
})

const refuses = (url: string): Promise<boolean> =>
  fetch(`${url}/_app/health`).then(
    () => false,
    () => true,
  )

describe('a server that a package runner started', () => {
  it.each([
    [['npx', '--offline', 'formwire-server']],
    [['npx', '--offline', 'formwire', 'listen'], 'stderr' as const],
    [['npm', 'run', '--silent', 'start', '--']],
    [['npx', '-y', 'pnpm@12', '--silent', 'start']],
  ])(
    'ends with %j, to which SIGTERM is sent',
    async ([command = '', ...args], stream: 'stdout' | 'stderr' = 'stdout') => {
      const runner = spawn(command, [...args, '--port', '0', '--json'], {
        cwd: folder,
        env: {
          ...process.env,
          NODE_OPTIONS: undefined,
          npm_lifecycle_event: undefined,
          // Nothing is installed in the folder.
          pnpm_config_verify_deps_before_run: 'false',
          FORMWIRE_WEBHOOK_SECRET: 'whsec_0123456789abcdef0123456789abcdef',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let first = ''
      for await (const chunk of runner[stream].setEncoding('utf8').iterator({ destroyOnReturn: false })) {
        first += chunk
        if (first.includes('\n')) break
      }
      const { url } = JSON.parse(first) as { url: string }
      expect(await refuses(url)).toBe(false)
      const ended = once(runner, 'exit')
      runner.kill('SIGTERM')
      await ended
      await expect.poll(() => refuses(url)).toBe(true)
    },
  )

  it('ends with npx, to which SIGTERM is sent before it listens', async () => {
    const fifo = join(temporaryDirectory(), 'seed')
    execFileSync('mkfifo', [fifo])
    const [both, reader, writer] = await Promise.all([open(fifo, 'r+'), open(fifo, 'r'), open(fifo, 'w')])
    const runner = spawn(
      'npx',
      ['--offline', 'formwire-server', '--port', '0', '--json', '--seed', '/dev/stdin'],
      {
        cwd: folder,
        env: { ...process.env, NODE_OPTIONS: undefined, npm_lifecycle_event: undefined },
        stdio: [reader.fd, 'pipe', 'ignore'],
      },
    )
    await both.close()
    // More than a pipe holds: the server has begun to read.
    await writer.write(' '.repeat(200_000))
    await reader.close()
    const ended = once(runner, 'exit')
    runner.kill('SIGTERM')
    await ended
    await writer.write(
      '{"version":1,"users":[{"name":"Ada","email":"ada@example.com"}],"workspaces":[{"name":"W","members":[{"user":"ada@example.com","role":"owner"}]}]}',
    )
    await writer.close()
    // The pipe ends with the server.
    expect(JSON.parse(await text(runner.stdout as Readable))).toHaveProperty('url')
  })
})
