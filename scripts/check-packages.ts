/** Packs every package as it would be published, runs publint and attw on the tarballs, and checks the source maps. Requires a build. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packagesDir = fileURLToPath(new URL('../packages/', import.meta.url))
const binDir = fileURLToPath(new URL('../node_modules/.bin/', import.meta.url))
const tarballDir = mkdtempSync(join(tmpdir(), 'formwire-pack-'))

/** Packages with a CommonJS build must pass for every resolver, the others only for ESM resolvers. */
const attwProfiles: Record<string, string | undefined> = {
  contract: 'strict',
  sdk: 'strict',
  sync: 'strict',
  'webhook-verify': 'strict',
  'reference-server': 'strict',
  cli: undefined, // a binary: it exports no types
}

function run(command: string, args: string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed with ${status} in ${cwd}`)
}

/** Source maps must not outweigh the code that they are for. @throws with both sizes */
function checkSourceMaps(name: string, dist: string): void {
  let [maps, code] = [0, 0]
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const { size } = statSync(join(dist, file))
    if (file.endsWith('.map')) maps += size
    else if (/\.[cm]?js$/.test(file)) code += size
  }
  if (maps > code) throw new Error(`packages/${name}: ${maps} bytes of source maps for ${code} bytes of code`)
}

try {
  for (const name of readdirSync(packagesDir).sort()) {
    const cwd = join(packagesDir, name)
    if (JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')).private) continue
    if (!(name in attwProfiles)) throw new Error(`packages/${name} has no line in attwProfiles`)
    checkSourceMaps(name, join(cwd, 'dist'))
    const tarball = join(tarballDir, `${name}.tgz`)
    // Unlike npm, pnpm applies publishConfig when packing.
    run('npx', ['-y', 'pnpm@12', 'pack', '--out', tarball], cwd)
    run(join(binDir, 'publint'), ['--strict', tarball], cwd)
    const profile = attwProfiles[name]
    if (profile) run(join(binDir, 'attw'), [tarball, '--profile', profile], cwd)
  }
} finally {
  rmSync(tarballDir, { recursive: true, force: true })
}
