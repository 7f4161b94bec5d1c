import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { shellWord } from '@formwire/internal/shell-word'
import type { SeedSource } from '../seed/format.ts'
import type { ReferenceServer } from '../server.ts'

/** Returns the first line of `--json`: one JSON object. */
export function machineLine(server: ReferenceServer, url: string): string {
  return `${JSON.stringify({
    event: 'listening',
    url,
    admin_token: server.adminToken,
    write_key: server.writeKey,
    read_key: server.readKey,
    workspace_id: server.workspaceId,
    user_id: server.userId,
  })}\n`
}

/** What the text printed at startup depends on. */
interface Surroundings {
  /** The file of `--state`. */
  state?: string | undefined
  /** How to run the CLI, as {@link cliCommand} returns it. */
  cli?: string | undefined
  /** Where the data was pulled from. */
  source?: SeedSource | undefined
  /** Whether to print colours. */
  isTerminal?: boolean
}

/** Returns the text printed at startup: the URLs, the keys, and two commands to try. */
export function greeting(
  server: ReferenceServer,
  url: string,
  { state, cli, source, isTerminal = false }: Surroundings = {},
): string {
  const form = server.app.forms.list().find(({ status, trashed }) => status === 'published' && !trashed)
  const { writeKey, readKey, adminToken } = server
  const links = Object.entries({
    console: `${url}/_app/console#code=${server.signInCode()}`,
    'public form': form?.url,
    API: `${url}/api/v1`,
  })
  const facts = Object.entries({
    'write key': writeKey,
    'read key': readKey,
    'admin token': adminToken,
    state: state && `${state}, saved on exit`,
    data: source && sourceText(source),
  })
  const next =
    cli === undefined
      ? [
          `curl -H 'Authorization: Bearer ${readKey}' '${url}/api/v1/forms?status=published'`,
          `curl -H ${shellWord(`Authorization: Bearer ${adminToken}`)} ${url}/_app/requests`,
        ]
      : [
          `${cli} login --base-url ${url}   # paste the write key`,
          `FORMWIRE_ADMIN_TOKEN=${shellWord(adminToken)} ${cli} deliveries tail`,
        ]
  const style = isTerminal ? STYLES : PLAIN
  return `${style.bold('Formwire')} reference server on ${url}

${links.flatMap(([name, to]) => (to ? [`  ${style.arrow('➜')}  ${name.padEnd(13)}${style.link(to)}\n`] : [])).join('')}
${facts.flatMap(([name, text]) => (text ? [`     ${name.padEnd(13)}${text}\n`] : [])).join('')}
Try next:
${next.map((line) => `  ${line}\n`).join('')}
Press Ctrl-C to stop.
`
}

const plain = (text: string): string => text
const PLAIN = { bold: plain, arrow: plain, link: plain }
const STYLES: typeof PLAIN = {
  bold: (text) => `\u001b[1m${text}\u001b[22m`,
  arrow: (text) => `\u001b[32m${text}\u001b[39m`,
  link: (url) => `\u001b[36m${url}\u001b[39m`,
}

/** Returns where the data was pulled from, and whether personal data was replaced. */
const sourceText = ({ base_url, scrubbed }: SeedSource): string =>
  `pulled from ${base_url}, ${scrubbed === false ? 'NOT scrubbed: it contains personal data' : 'scrubbed'}`

/**
 * Returns how to run the CLI in a folder: `npx formwire` in a project that has it, such as a clone of this repository, or
 * `formwire` if it is on the PATH. Undefined if it is not installed: npx would then look for a package of that name.
 */
export function cliCommand(folder: string, path = ''): string | undefined {
  const inModules = join('node_modules', '.bin')
  for (let at = folder, below = ''; at !== below; at = dirname(at)) {
    if (existsSync(join(at, inModules, 'formwire'))) return 'npx formwire'
    below = at
  }
  // Package managers add the programs of a project to the PATH of what they run.
  const isOnPath = path
    .split(delimiter)
    .some((one) => !one.endsWith(inModules) && existsSync(join(one, 'formwire')))
  return isOnPath ? 'formwire' : undefined
}
