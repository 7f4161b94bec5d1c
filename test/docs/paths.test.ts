import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(root, 'packages'))
    .map((name) => `packages/${name}/README.md`)
    .filter((path) => existsSync(join(root, path))),
]

describe('documents', () => {
  it.each(documents)('%s links only to existing files', (name) => {
    const text = readFileSync(join(root, name), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)].map(
      ([, link]) => link as string,
    )
    expect(links.filter((link) => !existsSync(join(root, dirname(name), link)))).toEqual([])
  })

  it('docs/architecture.md mentions only existing files', () => {
    const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
    const named = [...text.matchAll(/`((?:[a-z-]+\/)*[a-z-]+(?:\.ts|\/))`/g)].map(
      ([, path]) => path as string,
    )
    expect(named.length).toBeGreaterThan(40)
    const bases = ['', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`)]
    expect(named.filter((path) => !bases.some((base) => existsSync(join(root, base, path))))).toEqual([])
  })
})
