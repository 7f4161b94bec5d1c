import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { assertWritable, junitXml, writeJunit } from '../../src/output/junit.ts'

describe('junitXml', () => {
  it('writes passed, failed and skipped cases', () => {
    expect(
      junitXml({
        name: 'receiver check http://127.0.0.1:4000/?a=1&b=2',
        cases: [
          { className: 'formwire.receiver', name: 'genuine', durationMs: 12 },
          {
            className: 'formwire.receiver',
            name: 'chunked',
            durationMs: 1500,
            failure: 'got 411\nsecond line',
          },
          { className: 'formwire.receiver', name: 'not_post', durationMs: 0, skipped: 'not required' },
        ],
      }),
    ).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="receiver check http://127.0.0.1:4000/?a=1&amp;b=2" tests="3" failures="1" errors="0" skipped="1" time="1.512">
  <testsuite name="receiver check http://127.0.0.1:4000/?a=1&amp;b=2" tests="3" failures="1" errors="0" skipped="1" time="1.512">
    <testcase classname="formwire.receiver" name="genuine" time="0.012"/>
    <testcase classname="formwire.receiver" name="chunked" time="1.500">
      <failure message="got 411">got 411&#10;second line</failure>
    </testcase>
    <testcase classname="formwire.receiver" name="not_post" time="0.000">
      <skipped message="not required"/>
    </testcase>
  </testsuite>
</testsuites>
`)
  })

  it('replaces characters that XML cannot contain', () => {
    const xml = junitXml({ name: '<"\u0000\u001b\ud800\uffff👩🏽‍🚀\t>', cases: [] })
    expect(xml).toContain('name="&lt;&quot;\ufffd\ufffd\ufffd\ufffd👩🏽‍🚀\t&gt;"')
  })
})

describe('writeJunit', () => {
  it('refuses a folder and a file in a folder that does not exist', () => {
    const folder = temporaryDirectory()
    mkdirSync(join(folder, 'reports'))
    for (const file of [join(folder, 'reports'), join(folder, 'missing', 'report.xml')]) {
      expect(() => assertWritable(file)).toThrow(
        expect.objectContaining({ exitCode: 2, message: `cannot write the report to "${file}"` }),
      )
      expect(() => writeJunit(file, { name: 'one', cases: [] })).toThrow(
        expect.objectContaining({ exitCode: 1, code: 'report_not_written' }),
      )
    }
  })
})
