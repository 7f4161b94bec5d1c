import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Checks what npm has installed in a folder against its limits. @throws with what was measured. */
export function checkSize(
  name: string,
  folder: string,
  limits: { megabytes: number; packages: number },
): void {
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6
  const packages = files.filter((file) =>
    /\/node_modules\/(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(file),
  ).length
  const measured = `${name}: ${megabytes.toFixed(2)} MB in ${packages} packages`
  if (megabytes > limits.megabytes || packages > limits.packages)
    throw new Error(`${measured}, expected at most ${limits.megabytes} MB in ${limits.packages}`)
  console.log(measured)
}
