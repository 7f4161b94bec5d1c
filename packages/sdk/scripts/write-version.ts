/** Writes the version of package.json into the source: `tsx packages/sdk/scripts/write-version.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}
const path = new URL('../src/version.ts', import.meta.url)
writeFileSync(path, readFileSync(path, 'utf8').replace(/'[^']*'/, `'${version}'`))
