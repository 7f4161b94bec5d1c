import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What an install put into `node_modules`. */
export interface InstalledSize {
  bytes: number
  /** Number of packages, ours included. */
  packages: number
}

/** Measures the `node_modules` of a folder that npm installed. */
export function installedSize(folder: string): InstalledSize {
  const size = { bytes: 0, packages: 0 }
  measure(join(folder, 'node_modules'), size)
  return size
}

function measure(folder: string, size: InstalledSize): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const entry = lstatSync(path)
    if (entry.isFile()) size.bytes += entry.size
    if (!entry.isDirectory() || name === '.bin') continue
    const parent = folder.split('/').at(-1) ?? ''
    const isPackage = (parent === 'node_modules' && !name.startsWith('@')) || parent.startsWith('@')
    if (isPackage && existsSync(join(path, 'package.json')) && /node_modules(\/@[^/]+)?$/.test(folder)) {
      size.packages += 1
    }
    measure(path, size)
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
