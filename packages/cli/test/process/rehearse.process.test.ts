import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { start } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { until } from '../support/wait.ts'

const bin = inject('programs').cli
const HANDLED = ['--handled', 'cat handled.txt 2>/dev/null || true']

/** A receiver that appends the id of each response to a file. `BY` names what it deduplicates by. */
const RECEIVER = `
import { createServer } from 'node:http'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'

const { FORMWIRE_REHEARSAL_DIR: folder, PORT, BY } = process.env
const read = (name) => (existsSync(folder + name) ? readFileSync(folder + name, 'utf8').split('\\n') : [])
createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { event, response: { id } } = JSON.parse(Buffer.concat(chunks))
  const key = BY === 'delivery' ? request.headers['x-service-delivery'] : String(id)
  if (event !== 'test.ping' && !read('/keys.txt').includes(key)) {
    appendFileSync(folder + '/keys.txt', key + '\\n')
    appendFileSync(folder + '/handled.txt', id + '\\n')
  }
  response.writeHead(204).end()
}).listen(Number(PORT), '127.0.0.1')
`

function rehearse(options: readonly string[], program: string, env: Record<string, string> = {}) {
  const folder = temporaryDirectory()
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const file = join(folder, 'program.mjs')
  writeFileSync(file, program)
  const command = [bin, 'rehearse', ...options, '--', process.execPath, file]
  return { ...start(command, { HOME: folder, TMPDIR: temporary, ...env }, ''), folder, temporary }
}

it('[DLV-06][DLV-10] passes a receiver that handles each response once', async () => {
  const options = ['--webhook', '/hooks', ...HANDLED, '--runs', '2', '--seed', '1', '--without', 'kill']
  const { finished, temporary } = rehearse(options, RECEIVER)
  expect(await finished).toMatchObject({ code: 0, stdout: '', stderr: '2 runs passed (seed 1)\n' })
  expect(readdirSync(temporary)).toEqual([])
})

it('[DLV-08] tells the story of one that deduplicates by delivery id, keeps it, and plays it again', async () => {
  const options = ['--webhook', '/hooks', ...HANDLED, '--only', 'replay', '--seed', '1']
  const story = join(temporaryDirectory(), 'story.json')
  const junit = `${story}.xml`
  const found = rehearse([...options, '--json', '--save', story, '--junit', junit], RECEIVER, {
    BY: 'delivery',
  })
  const { code, stdout } = await found.finished
  const schedule = {
    version: 1,
    responses: [{ at_ms: 0, delivery: [{ kind: 'replay', after_ms: expect.any(Number) }] }],
    steps: [],
  }
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    {
      seed: 1,
      runs: expect.any(Number),
      passed: expect.any(Number),
      failed: 1,
      flaky: 0,
      failure: {
        verdict: 'handled_twice',
        response_ids: [1],
        likely: 'deduplicates by delivery id: a replay has a new one',
        steps: expect.any(Array),
        schedule,
      },
    },
  ])
  expect(JSON.parse(readFileSync(story, 'utf8'))).toEqual(schedule)
  expect(readFileSync(junit, 'utf8')).toContain('deduplicates by delivery id: a replay has a new one')

  const again = ['--webhook', '/hooks', ...HANDLED, '--schedule', story]
  const bad = await rehearse(again, RECEIVER, { BY: 'delivery' }).finished
  const lines = bad.stdout.split('\n')
  expect(bad.code).toBe(1)
  expect(lines.slice(0, 3)).toEqual([
    '✗ handled twice: response 1 was handled more than once',
    '  This looks like: deduplicates by delivery id: a replay has a new one',
    '',
  ])
  expect(lines.slice(3).join('\n')).toMatch(/^1\. +\d+ ms {2}response 1 is submitted\n2\. /)
  expect(await rehearse(again, RECEIVER).finished).toMatchObject({ code: 0 })
})

it('tells how a program ended that was not asked to', async () => {
  const program = `console.error('cannot read the configuration'); process.exit(3)`
  const { code, stdout } = await rehearse(['--webhook', '/hooks', ...HANDLED], program).finished
  expect(code).toBe(1)
  expect(stdout).toContain('exit code 3: cannot read the\n  configuration')
})

it('says why the command of --handled failed', async () => {
  const { code, stdout } = await rehearse(
    ['--webhook', '/hooks', '--handled', 'echo no table >&2; exit 4'],
    RECEIVER,
  ).finished
  expect(code).toBe(1)
  expect(stdout).toContain('exited with 4: no table')
})

it('ends the program and removes its folder after Ctrl-C, exit 130', async () => {
  const { child, finished, folder, temporary } = rehearse(
    ['--webhook', '/hooks', ...HANDLED],
    `${RECEIVER}; writeFileSync(process.env.HOME + '/pid', String(process.pid))`,
  )
  await until('the program', () => existsSync(join(folder, 'pid')))
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  child.kill('SIGINT')
  expect((await finished).code).toBe(130)
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  expect(readdirSync(temporary)).toEqual([])
})
