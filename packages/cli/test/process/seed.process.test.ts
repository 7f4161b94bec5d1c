import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { start } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { oneService, PARTY, SURVEY, startService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const bin = inject('programs').cli
const service = oneService({ limits: 'off' })
let env: Record<string, string>
beforeAll(() => {
  env = { ...service.env, HOME: temporaryDirectory() }
})

const run = (...argv: string[]) => start([bin, ...argv], env, '').finished

it.each(['SIGINT', 'SIGKILL'] as const)(
  'keeps what it has after %s, and continues with --resume',
  async (signal) => {
    const file = join(temporaryDirectory(), 'seed.json')
    const path = `/api/v1/forms/${SURVEY}/responses`
    const { faults, requests } = service.server.app
    faults.add({ path, delay_ms: 60_000 })
    const before = requests.list().length
    const pulling = start([bin, 'seed', 'pull', SURVEY, '--out', file], env, '')
    await until('the first requests', () => requests.list().length >= before + 2)
    await until('the part file', () => existsSync(`${file}.part`))
    pulling.child.kill(signal)
    const { code, stderr } = await pulling.finished
    expect([code, existsSync(file)]).toEqual([signal === 'SIGINT' ? 130 : null, false])
    if (signal === 'SIGINT')
      expect(stderr).toContain(`what was read is kept in ${file}.part; continue with --resume`)
    faults.clear()
    expect(await run('seed', 'pull', SURVEY, '--out', file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is from an unfinished pull, last written just now'),
    })
    expect(await run('seed', 'pull', SURVEY, '--out', file, '--resume')).toMatchObject({ code: 0 })
    expect(readdirSync(dirname(file))).toEqual(['seed.json'])
  },
)

it('serve --pull serves a scrubbed copy from memory, with the first line of the server', async () => {
  const argv = ['serve', '--pull', '--form', SURVEY, '--port', '0', '--json']
  const serving = start([bin, ...argv], env, '')
  const first = JSON.parse(await serving.firstLine) as { event: string; url: string; read_key: string }
  expect(first).toMatchObject({ event: 'listening' })
  const response = await fetch(`${first.url}/api/v1/forms/${SURVEY}/responses`, {
    headers: { authorization: `Bearer ${first.read_key}` },
  })
  const { data } = (await response.json()) as { data: { id: number; email: string | null }[] }
  expect(data.map(({ id }) => id)).toEqual([2, 1])
  expect(data[1]?.email).toMatch(/^[a-z]{10}@[a-z]{8}\.example$/)
  serving.child.kill('SIGINT')
  expect((await serving.finished).code).toBe(0)
})

it('serve --pull --observe also copies what can be observed of unspecified behaviour', async () => {
  const other = await startService({
    limits: 'off',
    unspecified: { timestamps: 'seconds', draftSubmittedAt: 'lastSaved' },
  })
  onTestFinished(() => other.server.close())
  // Listed first now, and without a draft, which shows what its date is.
  other.server.app.forms.update(PARTY, { title: 'Great party' })
  const argv = ['serve', '--pull', '--observe', '--port', '0', '--json']
  const serving = start([bin, ...argv], { ...other.env, HOME: env.HOME }, '')
  const { url, read_key } = JSON.parse(await serving.firstLine) as { url: string; read_key: string }
  const response = await fetch(`${url}/api/v1/forms/${SURVEY}`, {
    headers: { authorization: `Bearer ${read_key}` },
  })
  expect(await response.json()).toMatchObject({ data: { created_at: '2026-11-21T08:00:00Z' } })
  serving.child.kill('SIGINT')
  expect((await serving.finished).stderr).toMatch(
    /^observed \d+ behaviours of the service\n {2}draftSubmittedAt: lastSaved \(default: null\)\n {2}timestamps: seconds \(default: milliseconds\)\n/m,
  )
  const methods = other.server.app.requests.list().map(({ method }) => method)
  expect(new Set(methods)).toEqual(new Set(['GET']))
})

it('serve --pull says of a copy with personal data that it has them, and that its active endpoints are called', async () => {
  await service.server.app.webhooks.create(PARTY, { url: 'http://127.0.0.1:9/live' })
  const stderrOf = async (...argv: string[]) => {
    const words = ['serve', '--pull', '--form', PARTY, '--endpoints', ...argv, '--port', '0', '--json']
    const serving = start([bin, ...words], env, '')
    await serving.firstLine
    serving.child.kill('SIGINT')
    return (await serving.finished).stderr
  }
  const raw = await stderrOf('--no-scrub')
  expect(raw).toContain('active endpoints were pulled: a response that')
  expect(raw).toContain('the served copy contains personal data: every answer, email address and')
  const scrubbed = await stderrOf()
  expect(scrubbed).not.toContain('active endpoints')
  expect(scrubbed).not.toContain('personal data')
})
