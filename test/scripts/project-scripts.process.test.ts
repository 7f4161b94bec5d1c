/** Scripts of package.json that no other test and no gate runs as a developer does. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

/** Runs a script by its name. */
function run(name: string): string {
  const [program = '', ...given] = (scripts[name] ?? '').split(' ')
  return execFileSync(join(root, 'node_modules/.bin', program), given, { cwd: root, encoding: 'utf8' })
}

describe('pnpm addresses', () => {
  it('lists each file with an address of the project, and how many it has', () => {
    const lines = run('addresses').trimEnd().split('\n')
    const counts = new Map(lines.map((line) => line.split('\t').reverse() as [string, string]))
    expect(counts.size).toBe(lines.length)
    expect(counts.get('packages/sdk/package.json')).toBe('4')
    expect(counts.has('packages/sdk/README.md')).toBe(true)
    expect(counts.has('project.json')).toBe(false)
  })
})
