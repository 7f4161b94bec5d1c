/**
 * Installs the packed SDK as users get it and runs it, ESM and CommonJS, on every supported Node. Needs a build.
 * The Node versions come from npm (`node@22` and so on), so that one machine can run them all.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_MAJORS = [20, 22, 24, 26]
const root = fileURLToPath(new URL('..', import.meta.url))
const smoke = fileURLToPath(new URL('./packed-smoke/', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'formwire-smoke-'))

function run(command: string, args: string[], cwd: string): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) {
    throw new Error(`${command} ${args.join(' ')} failed with ${status}: ${error ?? ''}${stdout}${stderr}`)
  }
}

/** An own folder a major: npm installs one version of a package into a folder. The running Node serves its own major. */
function nodeBinary(major: number): string {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath
  const folder = join(work, `node-${major}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  // The package's install script fetches nothing: it only links the binary that its dependency carries.
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', `node@${major}`], folder)
  return join(folder, 'node_modules', 'node', 'bin', 'node')
}

try {
  const tarballs = ['contract', 'sdk'].map((name) => {
    const tarball = join(work, `${name}.tgz`)
    // pnpm packs with publishConfig and real versions in place of workspace ones, as npm does not.
    run('npx', ['-y', 'pnpm@12', 'pack', '--out', tarball], join(root, 'packages', name))
    return tarball
  })
  const app = join(work, 'app')
  cpSync(smoke, app, { recursive: true })
  writeFileSync(join(app, 'package.json'), '{"private":true}')
  const doors = ['undici@7', 'zod@4', 'redis@6']
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs, ...doors], app)
  for (const major of NODE_MAJORS) {
    const node = nodeBinary(major)
    for (const file of ['smoke.mjs', 'smoke.cjs']) {
      run(node, [file, String(major)], app)
      console.log(`Node ${major}: ${file} passed`)
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
