import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { cli, type Json, ServerProcess } from './support.ts'

let server: ServerProcess
let form: Json
let home: string
const env = (extra: Record<string, string> = {}) => ({
  FORMWIRE_API_KEY: server.first.write_key,
  FORMWIRE_BASE_URL: server.first.url,
  XDG_CONFIG_HOME: home,
  ...extra,
})
const run = (...argv: string[]) => cli(argv, env())

beforeAll(async () => {
  server = await ServerProcess.start('--seed', 'empty', '--clock', 'manual', '--rate-limits', 'off')
  form = await server.publishedForm([{ id: 'q1', type: 'short_text', title: 'Name' }], {
    title: 'Ev\u001b[31mil\u202eform',
  })
  for (let i = 0; i < 3; i += 1) {
    await server.app('POST', `/forms/${form.id}/responses`, {
      answers: [{ question_id: 'q1', value: `n${i}` }],
    })
  }
  home = mkdtempSync(join(tmpdir(), 'formwire-cli-'))
})
afterAll(async () => {
  await server.stop()
  rmSync(home, { recursive: true, force: true })
})

describe('exit codes and streams', () => {
  it('prints bare data with --json, before or after the command', async () => {
    for (const argv of [
      ['--json', 'whoami'],
      ['whoami', '--json'],
    ]) {
      const me = await run(...argv)
      expect([me.code, me.stderr]).toEqual([0, ''])
      expect(JSON.parse(me.stdout).user.id).toBe(server.first.user_id)
      expect(me.stdout).not.toContain(server.first.write_key)
    }
    const forms = await run('forms', 'list', '--json')
    expect(JSON.parse(forms.stdout).map((each: Json) => each.id)).toEqual([form.id])
  })

  it('prints tab-separated values without header and control characters when piped', async () => {
    const { code, stdout } = await run('forms', 'list')
    expect(code).toBe(0)
    const rows = stdout.trimEnd().split('\n')
    expect(rows).toHaveLength(1)
    expect(rows[0]?.split('\t')).toContain(form.id)
    expect(stdout).not.toContain('\u001b')
  })

  it('[AUTH-02] exits 4 without a key, 2 without a base URL, 4 with a wrong one, 6 without a server', async () => {
    const bare = { XDG_CONFIG_HOME: home }
    const codes = await Promise.all([
      cli(['whoami'], { ...bare, FORMWIRE_BASE_URL: server.first.url }),
      cli(['whoami'], { ...bare, FORMWIRE_API_KEY: server.first.write_key }),
      cli(['whoami'], env({ FORMWIRE_API_KEY: 'svc_wrong' })),
      cli(['whoami'], env({ FORMWIRE_BASE_URL: 'http://127.0.0.1:1' })),
      cli(['forms', 'get', 'AAAAAAAAAAAA'], env()),
      cli(['forms', 'get', form.id, '--nonsense'], env()),
      cli(['froms'], env()),
      cli(['forms', 'close', form.id], env({ FORMWIRE_API_KEY: server.first.read_key })),
      cli(['forms', 'rename', form.id, ''], env()),
    ])
    expect(codes.map((each) => each.code)).toEqual([4, 2, 4, 6, 3, 2, 2, 4, 2])
    for (const each of codes) {
      expect(each.stdout).toBe('')
      expect(each.stderr.length).toBeGreaterThan(0)
      expect(each.stderr).not.toContain('svc_wrong')
    }
    expect(codes[6]?.stderr).toContain('forms')
  })

  it('rejects a deletion without --yes and changes nothing', async () => {
    const list = await run('responses', 'list', form.id, '--json')
    const [first] = JSON.parse(list.stdout)
    const refused = await run('responses', 'delete', form.id, String(first.id))
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect((await server.api('GET', `/forms/${form.id}/responses/${first.id}`)).status).toBe(200)
    const done = await run('responses', 'delete', form.id, String(first.id), '--yes', '--json')
    expect([done.code, JSON.parse(done.stdout)]).toEqual([0, { id: first.id, deleted: true }])
    expect((await run('responses', 'get', form.id, String(first.id))).code).toBe(3)
  })

  it('closes and reopens', async () => {
    expect(JSON.parse((await run('forms', 'close', form.id, '--json')).stdout).status).toBe('closed')
    expect(JSON.parse((await run('forms', 'reopen', form.id, '--json')).stdout).status).toBe('published')
  })

  it('shows a webhook secret once', async () => {
    const created = await run('webhooks', 'create', form.id, 'http://127.0.0.1:9/x', '--json')
    const hook = JSON.parse(created.stdout)
    expect(hook.secret).toMatch(/^whsec_/)
    const list = await run('webhooks', 'list', form.id, '--json')
    expect(list.stdout).not.toContain('whsec_')
    expect(JSON.parse(list.stdout)).toHaveLength(1)
    expect((await run('webhooks', 'delete', form.id, String(hook.id))).code).toBe(2)
    expect((await run('webhooks', 'delete', form.id, String(hook.id), '--yes')).code).toBe(0)
  })

  it('[ERR-05] waits once for a 429 and then exits 5', async () => {
    await server.app('POST', '/faults', { path: '/api/v1/me', status: 429, retry_after: 1 })
    const limited = await run('whoami')
    await server.app('DELETE', '/faults')
    expect([limited.code, limited.stdout]).toEqual([5, ''])
  })

  it('stores a profile with mode 0600 in a 0700 folder, and prefers --profile to the environment', async () => {
    const login = await cli(
      ['login', '--with-key', '--base-url', server.first.url, '--profile', 'work'],
      { XDG_CONFIG_HOME: home },
      `${server.first.read_key}\n`,
    )
    expect(login.code).toBe(0)
    const dir = join(home, 'formwire')
    expect(statSync(dir).mode & 0o777).toBe(0o700)
    for (const file of readdirSync(dir)) expect(statSync(join(dir, file)).mode & 0o777).toBe(0o600)
    const me = await cli(['whoami', '--json', '--profile', 'work'], env({ FORMWIRE_API_KEY: 'svc_wrong' }))
    expect([me.code, JSON.parse(me.stdout || '{}').key?.scope]).toEqual([0, 'read'])
    expect((await cli(['logout', '--profile', 'work'], { XDG_CONFIG_HOME: home })).code).toBe(0)
    const files = readdirSync(dir).map((file) => readFileSync(join(dir, file), 'utf8'))
    expect(files.join('')).not.toContain(server.first.read_key)
  })

  it('exports csv, ndjson and json', async () => {
    const csv = await run('responses', 'export', form.id, '--format', 'csv')
    expect(csv.code).toBe(0)
    expect(csv.stdout.trim().split(/\r?\n/)).toHaveLength(3)
    const ndjson = await run('responses', 'export', form.id, '--format', 'ndjson')
    expect(
      ndjson.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).form_id),
    ).toEqual([form.id, form.id])
    expect(JSON.parse((await run('responses', 'export', form.id, '--format', 'json')).stdout)).toHaveLength(2)
  })
})

describe('listen', () => {
  it('[DLV-10] creates a temporary endpoint, verifies, forwards the same bytes, and cleans up', async () => {
    const bodies: string[] = []
    const target = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        bodies.push(`${request.headers['x-service-event']} ${body}`)
        response.writeHead(202).end()
      })
    })
    await new Promise<void>((done) => target.listen(0, '127.0.0.1', done))
    const forward = `http://127.0.0.1:${(target.address() as AddressInfo).port}/in`
    const listening = cli(
      ['listen', '--form', form.id, '--forward-to', forward, '--count', '1', '--json'],
      env({ FORMWIRE_ADMIN_TOKEN: server.first.admin_token }),
    )
    const hooks = async () => (await server.api('GET', `/forms/${form.id}/webhooks`)).body.data
    while ((await hooks()).length === 0) await new Promise((done) => setTimeout(done, 50))
    await server.respondent('POST', `/f/${form.slug}`, { answers: [{ question_id: 'q1', value: 'live' }] })
    const { code, stdout } = await listening
    target.close()
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(bodies).toHaveLength(1)
    expect(bodies[0]).toMatch(/^response\.submitted \{/)
    expect(await hooks()).toEqual([])
  })

  it('exits 2 without a form and without a secret', async () => {
    const { code, stdout } = await run('listen')
    expect([code, stdout]).toEqual([2, ''])
  })
})

describe('formwire responses export of the demo', () => {
  it('leaves phone numbers as they are, and guards formulas after another separator', async () => {
    const demo = await ServerProcess.start('--clock', 'manual', '--rate-limits', 'off')
    onTestFinished(async () => void (await demo.stop()))
    const env = { FORMWIRE_API_KEY: demo.first.write_key, FORMWIRE_BASE_URL: demo.first.url }
    const { code, stdout } = await cli(['responses', 'export', 'chefposition'], env)
    expect(code).toBe(0)
    expect(stdout.match(/,\+1 555 \d{3} \d{4},/g)?.length).toBeGreaterThan(30)
    expect(stdout).not.toContain("'+1 555")
    const { id } = await demo.publishedForm([{ id: 'q1', type: 'short_text', title: 'Name' }])
    const answers = [{ question_id: 'q1', value: "x;=cmd|' /C calc'!A0" }]
    expect((await demo.app('POST', `/forms/${id}/responses`, { answers })).status).toBe(201)
    const guarded = `,"x;'=cmd|' /C calc'!A0"`
    expect((await cli(['responses', 'export', id], env)).stdout).toContain(guarded)
    expect((await demo.app('GET', `/forms/${id}/export?format=csv`)).text).toContain(guarded)
  })
})
