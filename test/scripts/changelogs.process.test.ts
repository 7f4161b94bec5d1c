/** The changelogs that the next release will have, made in a copy of the repository. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manifestOf, PUBLISHED, root } from '../../scripts/project/project.ts'
import { PATIENT } from '../support/patience.ts'

/** Names of the packages and the text of each changeset. */
const changesets = readdirSync(join(root, '.changeset'))
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .map((name) => {
    const [, head = '', text = ''] =
      /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(join(root, '.changeset', name), 'utf8')) ?? []
    return {
      name,
      packages: [...head.matchAll(/['"](@formwire\/[\w-]+)['"]/g)].map(([, one]) => one as string),
      text: text.trim(),
    }
  })

describe('changesets', () => {
  let copy = ''
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'formwire-changelogs-'))
    const git = (...args: string[]) => execFileSync('git', args, { cwd: copy, stdio: 'pipe' })
    const files = execFileSync('git', ['ls-files', '.changeset', 'pnpm-*.yaml', '*package.json'], {
      cwd: root,
      encoding: 'utf8',
    })
    for (const file of files.split('\n').filter(Boolean)) cpSync(join(root, file), join(copy, file))
    cpSync(join(root, '.changeset'), join(copy, '.changeset'), { recursive: true })
    git('init', '--quiet')
    git('add', '--all')
    git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message', 'All')
    execFileSync(process.execPath, [join(root, 'node_modules/@changesets/cli/bin.js'), 'version'], {
      cwd: copy,
      stdio: 'pipe',
    })
  }, PATIENT.timeoutMs)
  afterAll(() => rmSync(copy, { recursive: true }))

  it.each(changesets)(
    '$name names packages that are published, and says what changes',
    ({ packages, text }) => {
      expect(packages).not.toEqual([])
      expect(PUBLISHED.map((name) => manifestOf(name).name)).toEqual(expect.arrayContaining(packages))
      expect(text).toMatch(/^\S[\s\S]*[.:`)]$/)
    },
  )

  it.each(PUBLISHED)('become the changelog of packages/%s, all with one version', (name) => {
    const own = changesets.filter(({ packages }) => packages.includes(manifestOf(name).name))
    const read = (file: string): string => readFileSync(join(copy, 'packages', name, file), 'utf8')
    const { version } = JSON.parse(read('package.json')) as { version: string }
    const contract = JSON.parse(readFileSync(join(copy, 'packages/contract/package.json'), 'utf8')) as {
      version: string
    }
    expect(version).toBe(contract.version)
    if (changesets.length === 0) return
    const changelog = read('CHANGELOG.md')
    expect(changelog).toContain(`## ${version}\n`)
    for (const { text } of own) expect(changelog).toContain(text.split('\n')[0])
  })
})
