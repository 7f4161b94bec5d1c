import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { commandPages } from '../../packages/cli/scripts/command-reference.ts'
import { brokenLinks } from '../../scripts/docs/check-links.ts'
import { headingSectionsOf, mapLinks, slugOf, withoutComments } from '../../scripts/docs/markdown.ts'
import { CONFORMANCE_PAGE } from '../../scripts/docs/page.ts'
import { OVERVIEWS, repositoryPages, withRuleLinks } from '../../scripts/docs/repository.ts'
import { PROJECT } from '../../scripts/project/project.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** Reading and linking all pages takes seconds. */
const repository = repositoryPages([
  ...commandPages(),
  { path: CONFORMANCE_PAGE, text: '# Conformance\n\nSee [unspecified behaviour](decisions/).\n' },
])

describe('Markdown of the site', () => {
  it('has its links changed in text, and never in code', () => {
    const page = [
      'See [`a`](a.md) and [b](b.md#c), not `[c](c.md)`.',
      '',
      '```md',
      '[d](d.md)',
      '```',
      '[![shot](shot.png)](e.md)',
    ].join('\n')
    const seen: string[] = []
    const changed = mapLinks(page, ({ target, isImage }) => {
      seen.push(target)
      return isImage ? `/${target}` : target === 'b.md#c' ? null : target.replace('.md', '.html')
    })
    expect(seen).toEqual(['a.md', 'b.md#c', 'shot.png', 'e.md'])
    expect(changed.split('\n')).toEqual([
      'See [`a`](a.html) and b, not `[c](c.md)`.',
      '',
      '```md',
      '[d](d.md)',
      '```',
      '[![shot](/shot.png)](e.html)',
    ])
  })

  it('loses its comments, but not those in code', () => {
    expect(withoutComments('a\n<!-- x\ny -->\nb\n```html\n<!-- z -->\n```\n')).toBe(
      'a\nb\n```html\n<!-- z -->\n```\n',
    )
  })

  it('is divided at its headings, and not at what code shows', () => {
    const parts = [
      'intro\n\n',
      '# A `b`\n\ntext\n\n',
      '## C <a id="see"></a>\n\n```sh\n# d\n```\n\n',
      '## C\n',
    ]
    expect(headingSectionsOf(parts.join(''))).toEqual([
      { anchors: [], title: '', level: 0, text: parts[0] },
      { anchors: ['a-b'], title: 'A b', level: 1, text: parts[1] },
      { anchors: ['c', 'see'], title: 'C', level: 2, text: parts[2] },
      { anchors: ['c-1'], title: 'C', level: 2, text: parts[3] },
    ])
    expect(headingSectionsOf('no heading')).toEqual([
      { anchors: [], title: '', level: 0, text: 'no heading' },
    ])
  })

  it.each([
    ['The control API: `/_app`', 'the-control-api-_app'],
    ['What is not signed?', 'what-is-not-signed'],
    ['Größe & more', 'größe--more'],
  ])('has the anchors of GitHub: %s', (heading, anchor) => {
    expect(slugOf(heading)).toBe(anchor)
  })

  it('links the ids of rules once, and not in headings, code and other links', () => {
    expect(withRuleLinks('# DLV-06\n\nDLV-06 `DLV-06` [DLV-06](x.md) UTF-16', 'reference/a.md')).toMatch(
      /^# DLV-06\n\n\[DLV-06\]\(\.\/rules\.md#dlv-06\) `DLV-06` \[DLV-06\]\(x\.md\) UTF-16$/,
    )
  })
})

describe('the pages of the repository', () => {
  it('link to pages of the site, and to the repository for other files', () => {
    const textOf = (path: string): string => repository.pages.find((page) => page.path === path)?.text ?? ''
    expect(textOf('how-to/rehearse.md')).toContain(
      '(../reference/commands/test-your-handler.md#formwire-rehearse)',
    )
    expect(textOf('conformance.md')).toContain('[unspecified behaviour](./decisions/index.md)')
    expect(textOf('examples/tour.md')).toContain(`(${PROJECT.repository}/tree/main/examples/tour)`)
    expect(textOf('project/security.md')).toContain(
      `(${PROJECT.repository}/blob/main/test/support/hostile-texts.ts)`,
    )
    expect(repository.assets).toContain('docs/dashboards/formwire-sync.json')
  })

  it('are all in the navigation, or linked from a page that is', () => {
    const { pages } = repository
    const sections = new Set(pages.map(({ section }) => section))
    for (const section of [
      'Tutorials',
      'How-to',
      'Packages',
      'Reference',
      'Explanation',
      'Examples',
    ] as const) {
      expect(sections).toContain(section)
    }
    const linked = new Set<string>(['index.md', ...Object.values(OVERVIEWS).map(([path]) => path)])
    for (const { path, text } of pages) {
      mapLinks(text, ({ target }) => {
        if (!/^[a-z]+:/.test(target)) linked.add(join(dirname(path), target.replace(/#.*/, '')))
        return target
      })
    }
    const lost = pages.filter(({ path, section }) => section === null && !linked.has(path))
    expect(lost.map(({ path }) => path)).toEqual([])
  })
})

describe('the check of a built site', () => {
  let folder = ''
  beforeEach(() => {
    folder = temporaryDirectory()
  })
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }

  it('finds links to pages, places and files that do not exist', () => {
    write(
      'index.html',
      '<h1 id="top">T</h1><a href="/base/a/b.html#one">b</a><a href="#top">t</a><a href="https://x.example">x</a>',
    )
    write(
      'a/b.html',
      '<a href="../index.html#nowhere">n</a><img src="/base/missing.png"><p id="one">1</p><a href="/a/b.html">outside</a>',
    )
    write('a/b.md', '[c](./c.md) [index](../index.html) `[d](d.md)`\n')
    expect(brokenLinks(folder, '/base/').toSorted()).toEqual([
      'a/b.html: "../index.html#nowhere" has no such place (nowhere)',
      'a/b.html: "/a/b.html" is outside of /base/',
      'a/b.html: "/base/missing.png" does not exist (missing.png)',
      'a/b.md: "./c.md" does not exist (a/c.md)',
    ])
  })
})
