import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../support/run-cli.ts'
import { type Service, SURVEY, startService } from '../support/service.ts'
import { temporaryDirectory } from '../support/temporary.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ limits: 'off' })
})
afterAll(() => service.server.close())

describe('formwire conformance', () => {
  it('reports no broken rule of the reference server', async () => {
    const file = join(temporaryDirectory(), 'profile.json')
    const { code, stdout } = await runCli(
      ['conformance', SURVEY, '--rule', 'form-02', '--rule', 'ENV-06', '--unspecified-out', file],
      { env: service.env },
    )
    expect(stdout).toContain(`Conformance of ${service.url}, form ${SURVEY} (read-only)`)
    expect(stdout).toContain('[FORM-02]')
    expect(stdout).toContain(' 0 broken,')
    expect(code).toBe(0)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ pagePastEnd: 'empty' })
  })
  it('reports a broken rule: exit 1', async () => {
    service.server.app.faults.add({ path: '/api/v1/forms', status: 200, body: 'empty' } as never)
    const { code, stdout, stderr } = await runCli(['conformance', SURVEY, '--rule', 'FORM-02', '--json'], {
      env: service.env,
    })
    service.server.app.faults.clear()
    expect(code).toBe(1)
    expect(JSON.parse(stdout).totals.broken).toBeGreaterThan(0)
    expect(JSON.parse(stderr).error.code).toBe('not_conformant')
  })
  it('exits with 3 for an unknown form, with 2 for an unknown rule or a deletion without --yes', async () => {
    const run = async (...argv: string[]) =>
      (await runCli(['conformance', ...argv], { env: service.env })).code
    expect(await run('--form', 'nothere00000')).toBe(3)
    expect(await run()).toBe(2)
    expect(await run('nothere00000')).toBe(3)
    expect(await run(SURVEY, '--rule', 'NONE-01')).toBe(2)
    expect(await run(SURVEY, '--expendable-response', '1')).toBe(2)
    expect(await run(SURVEY, '--write', '--expendable-response', '1')).toBe(2)
  })
})
