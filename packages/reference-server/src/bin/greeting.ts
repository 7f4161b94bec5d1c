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
}

/** Returns the text printed at startup: the URL, the keys, and commands to try. */
export function greeting(
  server: ReferenceServer,
  url: string,
  { state, cli, source }: Surroundings = {},
): string {
  const form = server.app.forms.list().find(({ status, trashed }) => status === 'published' && !trashed)
  return `Formwire reference server on ${url}

  write key    ${server.writeKey}
  read key     ${server.readKey}
  admin token  ${server.adminToken}
  console      ${url}/_app/console#code=${server.signInCode()}
${form ? `  public form  ${form.url}\n` : ''}${state === undefined ? '' : `  state        ${state}, saved on exit\n`}${source === undefined ? '' : `  data         ${sourceText(source)}\n`}
Try next:
${
  cli === undefined
    ? ''
    : `  ${cli} login --base-url ${url}   # paste the write key\n  ${cli} forms list
  export FORMWIRE_ADMIN_TOKEN=${shellWord(server.adminToken)}
  ${cli} deliveries tail\n`
}\
  curl -H 'Authorization: Bearer ${server.readKey}' ${url}/api/v1/me
  curl -H 'Authorization: Bearer ${server.readKey}' '${url}/api/v1/forms?status=published'
  curl -H ${shellWord(`Authorization: Bearer ${server.adminToken}`)} ${url}/_app/requests

Press Ctrl-C to stop.
`
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
