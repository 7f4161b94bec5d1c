import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tarballs } from '../project/tarballs.ts'
import { installProject, installTools } from './projects.ts'
import { run } from './run.ts'

/** The oldest supported TypeScript. */
export const OLDEST_TYPESCRIPT = '5.4'
const NEWEST = 'latest'

const OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  module: 'node16',
  moduleResolution: 'node16',
  skipLibCheck: false,
}
const LIB = ['es2022', 'dom', 'dom.iterable']
const WITH_NODE = { lib: [...LIB, 'esnext.disposable'], types: ['node'] }

/** Entry points whose types need no other package. */
const ALONE = [
  ...['sdk', 'sdk/budget/postgres', 'sdk/budget/redis', 'sdk/checkpoint/file', 'sdk/checkpoint/postgres'],
  ...['sdk/checkpoint/redis', 'sync', 'sync/postgres', 'sync/sqlite'],
  ...['webhook-verify', 'webhook-verify/fetch'],
]
/** Those of a test suite that compiles to CommonJS. */
const WITH_NODE_TYPES = [
  ...['reference-server', 'reference-server/conformance', 'reference-server/testing', 'sdk', 'sdk/node'],
  ...['sync', 'sync/sqlite', 'webhook-verify/node', 'webhook-verify/testing'],
]
const WITH_PEERS = ['reference-server/msw', 'sdk/otel', 'sdk/undici']

/** Checks the published types without `skipLibCheck`: what else a project must install to use them would show. */
export async function checkTypes(work: string, tarballs: Tarballs): Promise<void> {
  const clients = ['contract', 'sdk', 'webhook-verify', 'sync']
  const alone = await installProject(work, { name: 'types-alone', packages: clients }, tarballs)
  const others = {
    '@types/node': '^20.19',
    msw: '^2.15',
    zod: '3.25.76',
    undici: '^7',
    '@opentelemetry/api': '^1.9',
  }
  const packages = [...clients, 'reference-server']
  const kit = await installProject(work, { name: 'types', packages, others }, tarballs)
  const files: [app: string, file: string, options: object, entries: readonly string[]][] = [
    [alone, 'alone.mts', { lib: LIB, types: [] }, ALONE],
    [kit, 'commonjs.cts', WITH_NODE, WITH_NODE_TYPES],
  ]
  // msw's own types need a newer TypeScript than ours.
  const peers: typeof files = [[kit, 'peers.mts', WITH_NODE, WITH_PEERS]]
  for (const version of [OLDEST_TYPESCRIPT, NEWEST]) {
    const checked = version === NEWEST ? [...files, ...peers] : files
    const folder = await installTools(work, `typescript-${version}`, [`typescript@${version}`])
    const tsc = join(folder, 'node_modules', '.bin', 'tsc')
    for (const [app, file, options, entries] of checked) {
      const config = join(app, `${file}.json`)
      writeFileSync(config, JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, files: [file] }))
      const imports = entries.map((entry, index) => `import * as e${index} from '@formwire/${entry}'`)
      const used = `export const all = [${entries.map((_, index) => `e${index}`).join(', ')}]`
      writeFileSync(join(app, file), [...imports, used, ''].join('\n'))
      await run(tsc, ['-p', config], app)
    }
    console.log(`TypeScript ${version}: ${checked.map(([, file]) => file).join(', ')} passed`)
  }
}
