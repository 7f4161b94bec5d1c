/**
 * Measures what `npm install` of each package puts into an empty project: bytes and packages. Needs a build:
 * `npx -y pnpm@12 build && npx -y pnpm@12 bench sizes`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installProject, installTools } from '../scripts/packed-smoke-support/projects.ts'
import { installedSize } from '../scripts/packed-smoke-support/sizes.ts'
import { pack } from '../scripts/project/tarballs.ts'

/** Our packages, each with the ones that it depends on. */
const OURS: Record<string, string[]> = {
  'webhook-verify': [],
  sdk: ['contract'],
  'reference-server': ['contract'],
  sync: ['contract', 'sdk'],
  cli: ['contract', 'reference-server'],
}

const OTHERS = [
  'standardwebhooks',
  '@octokit/webhooks-methods',
  'resend',
  'svix',
  'openai',
  'stripe',
  'msw',
  '@stoplight/prism-cli',
]

const work = mkdtempSync(join(tmpdir(), 'formwire-sizes-'))
try {
  const tarballs = await pack(work)
  console.log('| package | installed | packages |\n|---|---|---|')
  const print = (name: string, folder: string): void => {
    const { bytes, packages } = installedSize(folder)
    console.log(`| ${name} | ${(bytes / 1e6).toFixed(1)} MB | ${packages} |`)
  }
  for (const [name, dependencies] of Object.entries(OURS)) {
    const project = { name, packages: [name, ...dependencies] }
    print(`@formwire/${name}`, await installProject(work, project, tarballs))
  }
  for (const name of OTHERS) {
    print(name, await installTools(work, name.replace('/', '-'), [name]))
  }
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}
