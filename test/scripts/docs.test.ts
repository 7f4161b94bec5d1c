import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { entryPoints, errorsLast } from '../../scripts/docs/api.ts'
import { brokenLinks } from '../../scripts/docs/check-links.ts'
import { llmsFullText, llmsSectionTexts, llmsText } from '../../scripts/docs/llms.ts'
import {
  headingSectionsOf,
  mapLinks,
  slugOf,
  summaryOf,
  withoutComments,
} from '../../scripts/docs/markdown.ts'
import { HTTP_API, openApiPages } from '../../scripts/docs/openapi.ts'
import type { Page } from '../../scripts/docs/page.ts'
import {
  linkBetween,
  repositoryPages,
  sitePathOf,
  withInstallNote,
  withRuleLinks,
} from '../../scripts/docs/repository.ts'
import { manifestOf, PUBLISHED } from '../../scripts/project/project.ts'

/** Reading and linking all pages takes seconds. */
const repository = repositoryPages()

interface Published {
  name: string
  publishConfig: { exports: Record<string, unknown> }
}

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

  it('is described by its first sentence', () => {
    const page = '# T\n\n![x](y.png)\n\nRuns `a` on [b](c.md). And more.\n'
    expect(summaryOf(page, 'x.md')).toEqual({ title: 'T', sentence: 'Runs a on b.' })
    expect(summaryOf('# T\n\n| a | b |\n', 'x.md').sentence).toBe('')
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
  it.each([
    ['docs/tutorials/read-responses.md', 'tutorials/read-responses.md'],
    ['packages/sdk', 'reference/packages/sdk.md'],
    ['packages/sdk/README.md', 'reference/packages/sdk.md'],
    ['bench/README.md', 'explanation/benchmarks.md'],
    ['docs/decisions', 'decisions/index.md'],
    ['packages/console/README.md', undefined],
    ['packages/sdk/src/client.ts', undefined],
  ])('%s is at %s', (file, path) => {
    expect(sitePathOf(file)).toBe(path)
  })

  it.each([
    ['index.md', 'a/b.md', './a/b.md'],
    ['a/b.md', 'index.md', '../index.md'],
    ['a/b/c.md', 'a/d.md', '../d.md'],
    ['a/b.md', 'a/c.md', './c.md'],
  ])('a link from %s to %s is %s', (from, to, link) => {
    expect(linkBetween(from, to)).toBe(link)
  })

  it('show the two flows as diagrams that their text describes', () => {
    const drawn = repository.pages.filter(({ text }) =>
      /!\[[^\]]{100,}\]\([^)]*diagrams\/[\w-]+\.svg\)/.test(text),
    )
    expect(drawn.map(({ path }) => path).sort()).toEqual([
      'explanation/polling.md',
      'explanation/webhook-delivery.md',
    ])
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
    const config = readFileSync('docs/.vitepress/config.ts', 'utf8')
    const atTheTop = [...config.matchAll(/link: '\/([^']*\/)'/g)].map(([, path]) => `${path}index.md`)
    expect(atTheTop).toEqual(['tutorials/index.md', 'how-to/index.md', 'reference/packages/index.md'])
    const linked = new Set<string>(['index.md', ...atTheTop])
    for (const { path, text } of pages) {
      mapLinks(text, ({ target }) => {
        if (!/^[a-z]+:/.test(target)) linked.add(join(dirname(path), target.replace(/#.*/, '')))
        return target
      })
    }
    // The former address of a page that has moved is linked from elsewhere only.
    const lost = pages.filter(
      ({ path, section, title }) => section === null && !linked.has(path) && !title.endsWith(': moved'),
    )
    expect(lost.map(({ path }) => path)).toEqual([])
  })
})

describe('the note about installing', () => {
  const NOTE = 'until-the-packages-are-on-npm'

  it('follows the first command that installs a package, once a page', () => {
    const page = '# A\n\nText.\n\n```sh\nnpm install @formwire/sdk\n```\n\n`npm install @formwire/cli` too.\n'
    expect(withInstallNote(page, 'tutorials/a.md')).toBe(
      page.replace(
        '```\n\n`npm',
        `\`\`\`\n\n> [!NOTE]\n> The packages are not on npm yet: [install them from a clone](../index.md#${NOTE}).\n\n\`npm`,
      ),
    )
    const other = '# A\n\nnpm install pg\n\nnpx -y pnpm@12 --filter @formwire/example-fleet start\n'
    expect(withInstallNote(other, 'tutorials/a.md')).toBe(other)
  })

  it('is on each page with such a command, or the page links to it itself', () => {
    const { pages } = repository
    const installing = pages.filter(
      ({ path, text }) =>
        /npm install [^\n]*@formwire\//.test(text) && !/^(?:index\.md|project\/|source\/)/.test(path),
    )
    expect(installing.length).toBeGreaterThan(20)
    expect(installing.filter(({ text }) => !text.includes(NOTE)).map(({ path }) => path)).toEqual([])
    const noted = pages.filter(({ text }) => text.includes('> [!NOTE]\n> The packages are not on npm yet'))
    expect(noted.filter(({ text }) => text.split(NOTE).length !== 2).map(({ path }) => path)).toEqual([])
  })
})

describe('the TypeScript API', () => {
  it('has a page for each entry point with types of each published package', () => {
    const typed = PUBLISHED.flatMap((folder) => {
      const { name, publishConfig } = manifestOf(folder) as unknown as Published
      return Object.entries(publishConfig.exports)
        .filter(([, target]) => typeof target === 'object')
        .map(([subpath]) => name + subpath.slice(1))
    })
    const packages = new Set(typed.map((name) => name.split('/')[1]))
    // The command line is no library.
    expect([...packages]).toEqual(PUBLISHED.filter((folder) => folder !== 'cli'))
    expect(entryPoints().map(({ name }) => name)).toEqual(typed)
  })
})

describe('the pages of an OpenAPI document', () => {
  const pages = openApiPages(HTTP_API)
  const textOf = (name: string): string => pages.find(({ path }) => path.endsWith(`/${name}.md`))?.text ?? ''

  it('list every operation and describe it on the page of its tag', () => {
    expect(textOf('index')).toContain('| `GET /api/v1/forms/{id}/responses` | [')
    expect(textOf('webhooks')).toContain('## Add a webhook endpoint\n\n`POST /api/v1/forms/{id}/webhooks`')
  })

  it('show parameters, body, command, responses and an example', () => {
    const [, operation = ''] = textOf('webhooks').split('## Add a webhook endpoint')
    expect(operation).toContain('| `id` | path | string, 12 characters | Id of the form, 12 characters. |')
    expect(operation).toContain('**Body**: [WebhookCreate](./schemas.md#webhookcreate)')
    expect(operation).toContain(
      [
        'curl --request POST \\',
        '  --header "Authorization: Bearer $FORMWIRE_API_KEY" \\',
        "  --header 'Content-Type: application/json' \\",
        `  --data '{"url":"https://hooks.example.com/formwire"}' \\`,
        '  "$FORMWIRE_BASE_URL/api/v1/forms/guestvoice01/webhooks"',
      ].join('\n'),
    )
    expect(operation).toContain("const endpoint = await formwire.webhooks.create('guestvoice01', {")
    expect(operation).toContain('    + "/api/v1/forms/guestvoice01/webhooks",\n    method="POST",')
    expect(operation).toContain('| 201 | The endpoint, with its secret. | `data`: [CreatedWebhookEndpoint](')
    expect(operation).toContain('"secret": "whsec_example-keep-me-secret"')
  })

  it('describe the errors once', () => {
    expect(textOf('index')).toContain('| 404 | `not_found` | The endpoint does not exist')
    expect(textOf('index')).toContain('| 400, 413, 415 | `bad_request` | ')
    expect(textOf('webhooks')).toContain(
      '**Errors**: 400, 401, 403, 404, 422, 429, 500; see [Errors](./index.md#errors).',
    )
    expect(textOf('webhooks')).not.toContain('does not exist')
  })

  it('show the fields of every object with types and limits', () => {
    const [, form = ''] = textOf('schemas').split('\n## Form\n')
    expect(form).toContain(
      '| `status` | string, such as `"draft"`, `"published"`, `"closed"`, `"archived"` | Status of the form. |',
    )
    expect(form).toContain('| `closes_at` | [Timestamp](./schemas.md#timestamp) or null | ')
    expect(form).toContain('| `response_count` | integer, from 0 | ')
  })
})

describe('llms.txt', () => {
  const page = (path: string, section: Page['section']): Page => ({
    path,
    section,
    source: null,
    text: `# ${path}\n\nText.\n`,
    title: path,
    description: 'Text.',
  })
  const pages = [
    page('b.md', 'Explanation'),
    page('a.md', 'Tutorials'),
    page('c.md', null),
    page('d.md', 'Project'),
  ]

  it('lists the pages by section', () => {
    expect(llmsText('A summary.', pages)).toBe(
      '# Formwire\n\n> A summary.\n\n## Tutorials\n\nThe text of these pages: [llms-tutorials.txt](llms-tutorials.txt)\n\n- [a.md](a.md): Text.\n\n## Explanation\n\nThe text of these pages: [llms-explanation.txt](llms-explanation.txt)\n\n- [b.md](b.md): Text.\n\n## Project\n\n- [d.md](d.md): Text.\n',
    )
  })

  it('in full has the text of what users need, in the same order', () => {
    expect(llmsFullText(pages)).toBe('<!-- a.md -->\n\n# a.md\n\nText.\n\n<!-- b.md -->\n\n# b.md\n\nText.\n')
  })

  it('has a file for the text of each section', () => {
    expect(llmsSectionTexts([...pages, page('e.md', 'HTTP API')])).toEqual([
      ['llms-tutorials.txt', '<!-- a.md -->\n\n# a.md\n\nText.\n'],
      ['llms-http-api.txt', '<!-- e.md -->\n\n# e.md\n\nText.\n'],
      ['llms-explanation.txt', '<!-- b.md -->\n\n# b.md\n\nText.\n'],
    ])
  })
})

it('a page of the TypeScript API shows the client first and errors last', () => {
  const text = `# @formwire/sdk

## Classes

### AbortError

One.

***

### Formwire

#### Constructors

***

### MemoryStore

Three.

## Functions

### answersOf()
`
  expect(errorsLast(text)).toBe(`# @formwire/sdk

## Classes

### Formwire

#### Constructors

***

### MemoryStore

Three.

***

### AbortError

One.

## Functions

### answersOf()
`)
  expect(errorsLast('# a\n\n## Functions\n')).toBe('# a\n\n## Functions\n')
})

describe('the check of a built site', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'formwire-site-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
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
