/**
 * Writes the addresses in `package.json` into that of each published package, and replaces those that were written last wherever they
 * occur: READMEs, docs, help links. `--list` shows where they are used.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import {
  fieldsOf,
  filesWithAddresses,
  type Manifest,
  manifestOf,
  PROJECT,
  PUBLISHED,
  root,
  withAddresses,
  writtenAddresses,
} from './project/project.ts'

const written = writtenAddresses()
const uses = filesWithAddresses(written)

if (process.argv.includes('--list')) {
  for (const [file, count] of uses) console.log(`${count}\t${file}`)
} else {
  for (const file of uses.keys()) {
    const text = readFileSync(root + file, 'utf8')
    const replaced = withAddresses(text, written, PROJECT)
    if (replaced !== text) writeFileSync(root + file, replaced)
  }
  for (const folder of PUBLISHED) {
    const manifest = `${JSON.stringify(withFields(manifestOf(folder), fieldsOf(folder)), null, 2)}\n`
    writeFileSync(`${root}packages/${folder}/package.json`, manifest)
  }
}

/** Returns the manifest with the fields after its description. */
function withFields(manifest: Manifest, fields: Partial<Manifest>): Manifest {
  const others = Object.entries(manifest).filter(([name]) => !(name in fields))
  const place = others.findIndex(([name]) => name === 'description') + 1
  return Object.fromEntries([
    ...others.slice(0, place),
    ...Object.entries(fields),
    ...others.slice(place),
  ]) as Manifest
}
