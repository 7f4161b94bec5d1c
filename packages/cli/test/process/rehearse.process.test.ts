import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { start } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { isAlive, until } from '../support/wait.ts'

const bin = inject('programs').cli
const WEBHOOK = ['--webhook', '/hooks']
const HANDLED = [...WEBHOOK, '--handled', 'cut -d" " -f1 handled.txt 2>/dev/null || true']
/** Options of a run without a response, in place of those that are drawn. */
const EMPTY = ['--schedule', schedule([])]

/**
 * A receiver that appends the id of each response to a file, and gives them at /handled. `BY` names what it deduplicates by: that is in
 * the same line, since SIGTERM may come between two writes.
 */
const RECEIVER = `
import { createServer } from 'node:http'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'

const { FORMWIRE_REHEARSAL_DIR: folder, PORT, BY } = process.env
const file = folder + '/handled.txt'
const handled = () =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\\n').map((line) => line.split(' ')) : []
createServer(async (request, response) => {
  if (request.method === 'GET') return response.end(handled().map(([id]) => id).join('\\n'))
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { event, response: { id } } = JSON.parse(Buffer.concat(chunks))
  const keys = { delivery: request.headers['x-service-delivery'], nothing: randomUUID() }
  const key = keys[BY] ?? String(id)
  if (event !== 'test.ping' && !handled().some((line) => line[1] === key))
    appendFileSync(file, id + ' ' + key + '\\n')
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
  const options = [...HANDLED, '--runs', '2', '--seed', '1', '--without', 'kill']
  const { finished, temporary } = rehearse(options, RECEIVER)
  expect(await finished).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/(?:^|\n)2 runs passed \(seed 1\)\n$/),
  })
  expect(readdirSync(temporary)).toEqual([])
})

it('exits with 127 for a command that is not found', async () => {
  const { finished } = start([bin, 'rehearse', '--handled', 'true', '--', 'no-such-program'], {}, '')
  expect(await finished).toMatchObject({
    code: 127,
    stderr: expect.stringContaining('command not found: no-such-program'),
  })
})

it('[DLV-08] tells the story of one that deduplicates by delivery id, keeps it, and plays it again', async () => {
  const options = [...HANDLED, '--only', 'replay', '--responses', '4', '--seed', '1']
  const story = join(temporaryDirectory(), 'story.json')
  const junit = `${story}.xml`
  const saved = [...options, '--json', '--save', story, '--junit', junit]
  const { code, stdout } = await rehearse(saved, RECEIVER, { BY: 'delivery' }).finished
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
        rate: '3 of 3',
        steps: expect.any(Array),
        schedule,
      },
    },
  ])
  expect(JSON.parse(readFileSync(story, 'utf8'))).toEqual(schedule)
  expect(readFileSync(junit, 'utf8')).toContain('deduplicates by delivery id: a replay has a new one')

  const again = [...HANDLED, '--schedule', story]
  const bad = await rehearse(again, RECEIVER, { BY: 'delivery' }).finished
  const lines = bad.stdout.split('\n')
  expect(bad.code).toBe(1)
  expect(lines.slice(0, 2)).toEqual(['FAIL run 1 of 3 · handled response 1 more than once', ''])
  expect(lines.slice(2).join('\n')).toMatch(
    /^1\. +\d+ ms {2}response 1 is submitted\n2\. [\s\S]*\n\nLikely cause: deduplicates by delivery id: a replay has a new one\n$/,
  )
  expect(await rehearse(again, RECEIVER).finished).toMatchObject({ code: 0 })
})

/** Joins the lines of a report, which are wrapped. */
const unwrapped = (report: string): string => report.replaceAll(/\n +/g, ' ')

it.concurrent.for([
  ['echo no table >&2; exit 4', 'exited with 4: no table'],
  ['printf "\\033]0;title\\007: no table" >&2; exit 4', 'exited with 4: ]0;title: no table'],
  ['kill -9 $$', 'was ended by SIGKILL'],
  ['yes 1', 'printed more than 8 MiB'],
])('says why the command of --handled failed: %s', async ([handled = '', why], { expect }) => {
  const { code, stdout } = await rehearse([...WEBHOOK, ...EMPTY, '--handled', handled], RECEIVER).finished
  expect([code, unwrapped(stdout)]).toEqual([1, expect.stringContaining(`the command of --handled ${why}`)])
})

it('gives no program the keys of a real service', async () => {
  const real = ['FORMWIRE_ADMIN_TOKEN', 'FORMWIRE_READ_KEY', 'FORMWIRE_API_KEY'].map((name) => [name, 'real'])
  const keys = { ...Object.fromEntries(real), OWN: 'kept' }
  const shown = '$FORMWIRE_ADMIN_TOKEN,$FORMWIRE_READ_KEY,$OWN,$FORMWIRE_API_KEY'
  const program = `const { env } = process
    console.error('${shown}'.replace(/\\$(\\w+)/g, (_all, name) => env[name] ?? ''))
    process.exit(3)`
  const ended = await rehearse([...HANDLED, ...EMPTY], program, keys).finished
  expect(unwrapped(ended.stdout)).toContain('exit code 3: ,,kept,svc_')
  const asked = [...WEBHOOK, ...EMPTY, '--handled', `echo "${shown}" >&2; exit 3`]
  const { stdout } = await rehearse(asked, RECEIVER, keys).finished
  expect(unwrapped(stdout)).toContain('exited with 3: ,,kept,svc_')
})

it('shows what the program prints only with --verbose, and begins no run after --time', async () => {
  const program = `${RECEIVER}; console.log('on stdout'); console.error('on stderr')`
  const options = [...HANDLED, ...EMPTY]
  const { code, stderr } = await rehearse([...options, '--time', '1s'], program).finished
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^\d+ runs? passed\n$/)])
  const shown = await rehearse([...options, '--runs', '1', '--verbose'], program).finished
  expect([shown.stdout, shown.stderr.split('\n').sort()]).toEqual([
    '',
    ['', '1 run passed', 'on stderr', 'on stdout'],
  ])
})

it('[DLV-07] divides the pauses between attempts by --speed', async () => {
  const retried = { at_ms: 0, delivery: [{ kind: 'fail-after', times: 1 }] }
  const file = schedule([retried, { at_ms: 6000 }])
  const options = [...HANDLED, '--json', '--schedule', file, '--speed', '60']
  const { stdout } = await rehearse(options, RECEIVER, { BY: 'nothing' }).finished
  const { steps } = JSON.parse(stdout).failure
  const [first, second] = steps.filter(({ kind }: { kind: string }) => kind === 'attempt')
  // The minute before the second attempt. The schedule lasts longer: once it is over, attempts are hurried.
  expect(second.at_ms - first.at_ms).toBeGreaterThan(900)
})

describe('after Ctrl-C, formwire rehearse leaves nothing behind', () => {
  /** A receiver that starts a process, and writes the ids of both, and once that it has handled a response. */
  const FAMILY = `${RECEIVER}
import { spawn } from 'node:child_process'
const descendant = spawn('sleep', ['600'])
const { HOME } = process.env
writeFileSync(HOME + '/pids', process.pid + '\\n' + descendant.pid)
setInterval(() => handled().length > 0 && writeFileSync(HOME + '/one-handled', ''), 10)
process.on('SIGTERM', () => process.env.STUBBORN ? writeFileSync(HOME + '/asked-to-end', '') : process.exit())`
  const NEVER_OVER = schedule([{ at_ms: 0 }, { at_ms: 600_000 }])

  /** Interrupts a rehearsal once the file is there, and again with `again`; returns its exit code and what is left. */
  async function interrupted(options: readonly string[], sign: string, env: Record<string, string> = {}) {
    const { child, finished, folder, temporary } = rehearse([...WEBHOOK, ...options], FAMILY, env)
    await until(sign, () => existsSync(join(folder, sign)))
    child.kill('SIGINT')
    if (env.STUBBORN !== undefined) {
      await until('SIGTERM', () => existsSync(join(folder, 'asked-to-end')))
      await until('the end', () => child.exitCode !== null || !child.kill('SIGINT'))
    }
    const { code } = await finished
    const pids = ['pids', 'asked']
      .filter((name) => existsSync(join(folder, name)))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n').map(Number))
    await until('the end of all processes', () => !pids.some(isAlive))
    return { code, processes: pids.length, left: readdirSync(temporary) }
  }

  it('while a schedule waits', async () => {
    const options = [...HANDLED, '--schedule', NEVER_OVER]
    expect(await interrupted(options, 'one-handled')).toEqual({ code: 130, processes: 2, left: [] })
  })

  it('while it is asked what was handled', async () => {
    // The file appears with both ids in it.
    const handled = 'sleep 600 & echo "$$\n$!" > "$HOME/ids"; mv "$HOME/ids" "$HOME/asked"; wait'
    const options = ['--handled', handled, ...EMPTY]
    expect(await interrupted(options, 'asked')).toEqual({ code: 130, processes: 4, left: [] })
  })

  it('nor after a second one, before the program has ended', async () => {
    const options = [...HANDLED, '--schedule', NEVER_OVER]
    const stubborn = { STUBBORN: '1' }
    expect(await interrupted(options, 'one-handled', stubborn)).toEqual({ code: 130, processes: 2, left: [] })
  })
})

/** Writes a schedule with these responses, and returns its path. */
function schedule(responses: readonly object[]): string {
  const file = join(temporaryDirectory(), 'schedule.json')
  writeFileSync(file, JSON.stringify({ version: 1, responses, steps: [] }))
  return file
}
