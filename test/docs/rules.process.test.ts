import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { UNSPECIFIED } from '../../packages/reference-server/src/unspecified.ts'
import { RULES } from '../../scripts/conformance/rules.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = readFileSync(`${root}docs/reference/rules.md`, 'utf8')

describe('docs/reference/rules.md', () => {
  it('explains each rule id that sources and READMEs name', () => {
    const pattern = '\\b(ENV|AUTH|RATE|ME|FORM|RESP|POLL|HOOK|DLV|ERR|VER)-[0-9]{2}\\b'
    const files = ['packages/*/src', 'packages/*/README.md', 'docs/*.md', 'README.md']
    const found = execFileSync('git', ['grep', '-hoE', pattern, '--', ...files], {
      cwd: root,
      encoding: 'utf8',
    })
    const ids = [...new Set(found.split('\n').filter(Boolean))].sort()
    expect(ids.length).toBeGreaterThan(50)
    expect(ids.filter((id) => !page.includes(`<a id="${id.toLowerCase()}"></a>${id} |`))).toEqual([])
  })

  it('has one line for each rule', () => {
    for (const { id } of RULES) expect(page.split(`</a>${id} |`), id).toHaveLength(2)
  })

  it('lists each unspecified behaviour with a reason', () => {
    for (const key of Object.keys(UNSPECIFIED)) {
      expect(page, key).toMatch(new RegExp(`^\\| \`${key}\` \\| \\*\\*\`.*\\[.*\\]\\(\\.\\./decisions/`, 'm'))
    }
  })
})
