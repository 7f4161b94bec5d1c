/** Updates the command reference in the README: `tsx --conditions=@formwire/source packages/cli/scripts/write-readme.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { commandReference } from './command-reference.ts'

const path = new URL('../README.md', import.meta.url)
const text = readFileSync(path, 'utf8')
const begin = '<!-- commands: written by scripts/write-readme.ts -->\n'
const end = '<!-- /commands -->'
const before = text.slice(0, text.indexOf(begin) + begin.length)
writeFileSync(path, `${before}\n${commandReference()}\n${text.slice(text.indexOf(end))}`)
