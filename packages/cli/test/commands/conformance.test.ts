import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { runCli } from '../support/run-cli.ts'
import { oneService, SURVEY } from '../support/service.ts'

const service = oneService({ limits: 'off' })

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
  it('--junit writes a test case for each case, with skipped and broken ones marked', async () => {
    const folder = temporaryDirectory()
    const junit = join(folder, 'report.xml')
    const argv = ['conformance', SURVEY, '--json', '--junit', junit]
    const { code, stdout } = await runCli(argv, { env: service.env })
    const { totals, results } = JSON.parse(stdout) as {
      totals: Record<string, number>
      results: { rules: string[]; title: string; outcome: string }[]
    }
    expect(code).toBe(0)
    expect(totals.skipped).toBeGreaterThan(0)
    const xml = readFileSync(junit, 'utf8')
    expect(xml.match(/<testcase /g)).toHaveLength(results.length)
    expect(xml.match(/<skipped /g)).toHaveLength(totals.skipped ?? 0)
    expect(xml).toContain(`tests="${results.length}" failures="0" errors="0" skipped="${totals.skipped}"`)
    expect(xml).toMatch(
      /<testcase classname="formwire\.conformance\.FORM-02" name="\[FORM-02\] [^"]+" time="/,
    )
  })
  it('reports a broken rule, also with --junit: exit 1', async () => {
    const folder = temporaryDirectory()
    const junit = join(folder, 'report.xml')
    service.server.app.faults.add({ path: '/api/v1/forms', status: 200, body: 'empty' } as never)
    const argv = ['conformance', SURVEY, '--rule', 'FORM-02', '--json', '--junit', junit]
    const { code, stdout, stderr } = await runCli(argv, { env: service.env })
    service.server.app.faults.clear()
    expect([code, JSON.parse(stderr).error.code]).toEqual([1, 'not_conformant'])
    expect(JSON.parse(stdout).totals.broken).toBeGreaterThan(0)
    expect(readFileSync(junit, 'utf8')).toMatch(/ failures="[1-9]\d*" [\s\S]*<failure message="/)
    const missing = join(folder, 'missing', 'report.xml')
    expect((await runCli(['conformance', SURVEY, '--junit', missing], { env: service.env })).code).toBe(2)
  })
  it('exits with 2 for an unknown rule', async () => {
    const argv = ['conformance', SURVEY, '--rule', 'NONE-01']
    expect((await runCli(argv, { env: service.env })).code).toBe(2)
  })
})
