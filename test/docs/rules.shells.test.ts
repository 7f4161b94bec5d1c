import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { UNSPECIFIED } from '../../packages/reference-server/src/unspecified.ts'
import { AREAS, RULES } from '../../scripts/conformance/rules.ts'
import { read, root } from '../../scripts/project/project.ts'

const page = read('docs/reference/rules.md')

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

  it('has one line for each rule, below a heading', () => {
    expect(RULES).toHaveLength(81)
    for (const { id } of RULES) expect(page.split(`</a>${id} |`), id).toHaveLength(2)
    expect(
      RULES.map(({ id }) => id.replace(/-.*/, '')).filter((prefix, at, all) => all[at - 1] !== prefix),
    ).toEqual(AREAS.map(([prefix]) => prefix))
  })

  it('lists each unspecified behaviour with its values, the default first, and the records that name it', () => {
    const decisions = readdirSync(`${root}docs/decisions`)
      .filter((name) => /^(?!0000)\d{4}-.*\.md$/.test(name))
      .map((name) => ({ name, text: read(`docs/decisions/${name}`) }))
    const rows = Object.entries(UNSPECIFIED).map(([key, values]: [string, readonly string[]]) => {
      const [first, ...others] = values.map((value) => `\`${value}\``)
      const records = decisions
        .filter(({ text }) => new RegExp(`^Rules?:.*\`${key}\``, 'm').test(text))
        .map(({ name, text }) => `[${/^# (.*)/.exec(text)?.[1]}](../decisions/${name})`)
      expect(records, key).not.toEqual([])
      return `| \`${key}\` | ${[`**${first}**`, ...others].join(', ')} | ${records.join(' · ')} |`
    })
    expect(page.match(/^\| `.*$/gm)).toEqual(rows)
  })
})
