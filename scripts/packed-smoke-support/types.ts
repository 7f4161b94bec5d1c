import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tarballs } from '../project/tarballs.ts'
import { installProject, installTools, type Project } from './projects.ts'
import { run } from './run.ts'

/** The oldest supported TypeScript. */
export const OLDEST_TYPESCRIPT = '5.4'
const NEWEST = 'latest'
const VERSIONS = [OLDEST_TYPESCRIPT, NEWEST]

const OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  module: 'node16',
  moduleResolution: 'node16',
  skipLibCheck: false,
}

/**
 * Checks the published types without `skipLibCheck`: those of the SDK, webhook-verify and sync in a project without any other package,
 * those of the test kit in a CommonJS file under `node16`.
 */
export async function checkTypes(work: string, tarballs: Tarballs): Promise<void> {
  const clients = ['contract', 'sdk', 'webhook-verify', 'sync']
  const alone = await installProject(work, { name: 'types-alone', packages: clients }, tarballs)
  const project: Project = {
    name: 'types',
    packages: [...clients, 'reference-server'],
    others: {
      '@types/node': '^20.19',
      msw: '^2.15',
      zod: '3.25.76',
      undici: '^7',
      '@opentelemetry/api': '^1.9',
    },
  }
  const kit = await installProject(work, project, tarballs)
  const lib = ['es2022', 'dom', 'dom.iterable']
  const withNode = { lib: [...lib, 'esnext.disposable'], types: ['node'] }
  const files: [string, string, object][] = [
    [alone, 'types-alone.mts', { lib, types: [] }],
    [kit, 'types-commonjs.cts', withNode],
  ]
  // msw's own types need a newer TypeScript than ours.
  const peers: typeof files = [[kit, 'types-peers.mts', withNode]]
  for (const version of VERSIONS) {
    const checked = version === NEWEST ? [...files, ...peers] : files
    const folder = await installTools(work, `typescript-${version}`, [`typescript@${version}`])
    const tsc = join(folder, 'node_modules', '.bin', 'tsc')
    for (const [app, file, options] of checked) {
      const config = join(app, `${file}.json`)
      writeFileSync(config, JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, files: [file] }))
      await run(tsc, ['-p', config], app)
    }
    console.log(`TypeScript ${version}: ${checked.map(([, file]) => file).join(', ')} passed`)
  }
}
