/** Runs the commands that `start` prints in a fresh clone, which has no build. */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { root } from '../../scripts/project/project.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const SLOW = 300_000

it('the commands that start prints work in a fresh clone', { timeout: SLOW }, async () => {
  const folder = temporaryDirectory()
  const clone = join(folder, 'formwire')
  const run = promisify(execFile)
  await run('git', ['clone', '--quiet', root, clone])
  // What the pnpm that runs this test sets would keep that of the clone from installing.
  const own = Object.entries(process.env).filter(([name]) => !/^p?npm_/i.test(name))
  // npx asks before it downloads a package that is not installed. Here it must find the CLI of the clone.
  const env: NodeJS.ProcessEnv = {
    ...(Object.fromEntries(own) as NodeJS.ProcessEnv),
    XDG_CONFIG_HOME: folder,
    npm_config_yes: 'false',
    NO_COLOR: '1',
  }
  const start = spawn('npx', ['-y', 'pnpm@12', 'start', '--port', '0'], { cwd: clone, env, detached: true })
  onTestFinished(async () => {
    const closed = once(start, 'close')
    process.kill(-(start.pid ?? 0), 'SIGTERM')
    await closed
  })
  let printed = ''
  for await (const chunk of start.stdout) {
    printed += chunk
    if (printed.includes('Press Ctrl-C')) break
  }
  const [login = '', tail = ''] = [...printed.matchAll(/^ {2}(\S* ?npx formwire [^#\n]*)/gm)].map(
    ([, line]) => line,
  )
  expect([login, tail].map((line) => line.trim().replace(/:\d+$|(?<=TOKEN=)\S+/, '…'))).toEqual([
    'npx formwire login --base-url http://127.0.0.1…',
    'FORMWIRE_ADMIN_TOKEN=… npx formwire deliveries tail',
  ])
  const key = /write key +(\S+)/.exec(printed)?.[1]
  const inClone = { cwd: clone, env }
  const { stderr } = await run('bash', ['-c', `echo ${key} | ${login} --with-key`], inClone)
  expect(stderr).toMatch(/^logged in as .*; profile "default" in .*\n$/)
  expect((await run('npx', ['formwire', 'forms', 'list'], inClone)).stdout).toMatch(/^\w{12}\t/)
})
