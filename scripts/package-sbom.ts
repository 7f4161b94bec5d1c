/**
 * Writes the software bill of materials of the published packages and of what npm installs with them, as CycloneDX JSON:
 * `package-sbom FILE`. Requires a build.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pack } from './project/tarballs.ts'

const [target] = process.argv.slice(2)
if (target === undefined) throw new Error('Name the file to write: package-sbom FILE.')

const folder = mkdtempSync(join(tmpdir(), 'formwire-sbom-'))
const run = (command: string, args: string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1_048_576 })
try {
  const tarballs = Object.values(await pack(folder))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'formwire-packages', version: '0.0.0', private: true }),
  )
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs], folder)
  writeFileSync(resolve(target), run('npm', ['sbom', '--sbom-format', 'cyclonedx'], folder))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
