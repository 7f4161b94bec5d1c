import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './project.ts'

/** Tarballs of the published packages, by the name of the package without its scope. */
export type Tarballs = Record<string, string>

/**
 * Packs all published packages as they would be published, into a new folder of `work`. Unlike npm, pnpm applies publishConfig and
 * replaces workspace versions.
 *
 * @throws with the output of pnpm if it fails.
 */
export async function pack(work: string): Promise<Tarballs> {
  const destination = join(work, 'tarballs')
  // All at once: pnpm takes longer to start than to pack.
  await promisify(execFile)('npx', ['-y', 'pnpm@12', 'tarballs', destination], { cwd: root })
  return Object.fromEntries(
    readdirSync(destination).map((file) => [
      file.replace(/^formwire-(.*)-\d+\.\d+\.\d+.*\.tgz$/, '$1'),
      join(destination, file),
    ]),
  )
}
