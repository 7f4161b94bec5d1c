import { describe, expect, it } from 'vitest'
import { anchorsOf, linksOf } from '../../scripts/docs/markdown.ts'
import { brokenLinks, type Files } from '../../scripts/project/package-links.ts'
import { fieldsOf, withAddresses } from '../../scripts/project/project.ts'

const addresses = {
  homepage: 'https://docs.test',
  repository: 'https://code.test/formwire',
  bugs: 'https://code.test/formwire/issues',
  security: 'security@docs.test',
}

const files = (contents: Record<string, string>): Files => ({
  paths: new Set(Object.keys(contents)),
  read: (path) => contents[path] as string,
})

const repository = files({
  'docs/how-to/proxies.md': '# Proxies\n\n## Corporate CAs\n\n### `ECONNRESET` <a id="reset"></a>\n',
  'examples/vitest/README.md': '',
})

const problemsOf = (readme: string): string[] =>
  brokenLinks('README.md', {
    addresses,
    repository,
    tarball: files({ 'README.md': `${readme}\n\n## Errors\n`, 'vectors/webhooks.json': '{}', LICENSE: '' }),
  })

describe('links of a package page', () => {
  it.each([
    '[a](#errors)',
    '[a](vectors/webhooks.json)',
    '[a](./LICENSE)',
    '[a](vectors)',
    '[a](https://code.test/formwire)',
    '[a](https://code.test/formwire/issues)',
    '[a](https://code.test/formwire/blob/main/docs/how-to/proxies.md#corporate-cas)',
    '[a](https://code.test/formwire/tree/main/examples/vitest)',
    '[a](https://docs.test/how-to/proxies.html#reset)',
    '[`examples/vitest`](https://code.test/formwire/tree/main/examples/vitest)',
    '[a](https://nodejs.org/api/http.html)',
    '[a](mailto:security@docs.test)',
    '`[a](missing.md)`',
    '```md\n[a](missing.md)\n`examples/vitest`\n```',
  ])('accepts %s', (readme) => {
    expect(problemsOf(readme)).toEqual([])
  })

  it.each([
    ['[a](../sdk)', 'README.md:1: ../sdk: not in the package'],
    ['[a](src/options.ts)', 'README.md:1: src/options.ts: not in the package'],
    ['\n[a](#option)', 'README.md:2: #option: README.md has no anchor "option"'],
    ['![a](missing.png)', 'README.md:1: missing.png: not in the package'],
    ['<img src="missing.png">', 'README.md:1: missing.png: not in the package'],
    ['[a]: missing.md', 'README.md:1: missing.md: not in the package'],
    [
      '[a](https://code.test/formwire/blob/main/docs/none.md)',
      'README.md:1: https://code.test/formwire/blob/main/docs/none.md: the repository has no such file',
    ],
    [
      '[a](https://code.test/formwire/blob/main/examples/vitest)',
      'README.md:1: https://code.test/formwire/blob/main/examples/vitest: the repository has no such file',
    ],
    [
      '[a](https://code.test/formwire/tree/main/none)',
      'README.md:1: https://code.test/formwire/tree/main/none: the repository has no such folder',
    ],
    [
      '[a](https://code.test/formwire/wiki)',
      'README.md:1: https://code.test/formwire/wiki: not a link to a file of the repository',
    ],
    [
      '[a](https://docs.test/how-to/none.html)',
      'README.md:1: https://docs.test/how-to/none.html: there is no docs/how-to/none.md',
    ],
    [
      '[a](https://docs.test/how-to/proxies.html#nothing)',
      'README.md:1: https://docs.test/how-to/proxies.html#nothing: docs/how-to/proxies.md has no anchor "nothing"',
    ],
    ['[a](http://nodejs.org/)', 'README.md:1: http://nodejs.org/: not https'],
    [
      'See `examples/vitest`.',
      'README.md:1: `examples/vitest` is not in the package; link it to the repository',
    ],
  ])('reports %s', (readme, problem) => {
    expect(problemsOf(readme)).toEqual([problem])
  })

  it('finds each form of a link, with its line', () => {
    expect(linksOf('[a](b)\n\n[c]: d\n<https://e.test>\n<a href="f">g</a>')).toEqual([
      { line: 1, target: 'b' },
      { line: 3, target: 'd' },
      { line: 4, target: 'https://e.test' },
      { line: 5, target: 'f' },
    ])
  })

  it('finds the anchors of a page, as GitHub and the site make them', () => {
    const page =
      '# `--state FILE`: a file\n## Errors\n## Errors\n## no_key <a id="x"></a>\n```\n# code\n```\n'
    expect([...anchorsOf(page)]).toEqual(['--state-file-a-file', 'errors', 'errors-1', 'no_key', 'x'])
  })
})

describe('addresses of the project', () => {
  it('are replaced together, the longest first', () => {
    const text =
      'https://code.test/formwire/issues https://code.test/formwire/blob/x https://docs.test/y security@docs.test'
    const to = {
      homepage: 'https://code.test/formwire/pages',
      repository: 'https://docs.test',
      bugs: 'https://bugs.test',
      security: 'a@b.test',
    }
    expect(withAddresses(text, addresses, to)).toBe(
      'https://bugs.test https://docs.test/blob/x https://code.test/formwire/pages/y a@b.test',
    )
  })

  it('become the fields of a package', () => {
    expect(fieldsOf('sdk', { ...addresses, keywords: { sdk: ['forms'] } })).toEqual({
      homepage: 'https://docs.test',
      repository: { type: 'git', url: 'git+https://code.test/formwire.git', directory: 'packages/sdk' },
      bugs: { url: 'https://code.test/formwire/issues', email: 'security@docs.test' },
      keywords: ['forms'],
    })
    expect(() => fieldsOf('other', { ...addresses, keywords: {} })).toThrow(
      'project.json has no keywords of packages/other',
    )
  })
})
