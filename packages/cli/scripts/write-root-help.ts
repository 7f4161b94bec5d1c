/** Writes src/root-help.ts: `tsx --conditions=@formwire/source packages/cli/scripts/write-root-help.ts`, then format. */
import { writeFileSync } from 'node:fs'
import { main } from '../src/main.ts'
import type { Runtime } from '../src/runtime.ts'

let help = ''
const stdout: Runtime['stdout'] = {
  columns: 80,
  write(text, done) {
    help += text
    done?.()
    return true
  },
}
await main(['--help'], {
  env: {},
  stdout,
  stderr: stdout,
  stop: new AbortController().signal,
} as unknown as Runtime)
const text = help.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')
writeFileSync(
  new URL('../src/root-help.ts', import.meta.url),
  `/** What \`formwire --help\` prints, ready made for a fast start. scripts/write-root-help.ts writes it, a test holds it to the grammar. */
export const ROOT_HELP = \`${text}\`
`,
)
