import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What an install put into `node_modules`. */
interface InstalledSize {
  bytes: number
  /** Number of packages, ours included. */
  packages: number
}

/** Measures the `node_modules` of a folder that npm installed. */
function installedSize(folder: string): InstalledSize {
  const entries = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return {
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    packages: files.filter((file) => /\/node_modules\/(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(file)).length,
  }
}

/** Checks an install against its limits. @throws with what was measured. */
export function checkSize(
  name: string,
  folder: string,
  limits: { megabytes: number; packages: number },
): void {
  const { bytes, packages } = installedSize(folder)
  const measured = `${name}: ${(bytes / 1e6).toFixed(2)} MB in ${packages} packages`
  if (bytes > limits.megabytes * 1e6 || packages > limits.packages) {
    throw new Error(`${measured}, expected at most ${limits.megabytes} MB in ${limits.packages}`)
  }
  console.log(measured)
}
