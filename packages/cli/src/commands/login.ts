import { defineCommand } from '../command.ts'
import { checkKey, resolveBaseUrl } from '../config/credentials.ts'
import { checkProfileName, profilesPath, readProfiles, writeProfiles } from '../config/profiles.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { Failure, usage } from '../failure.ts'
import { readSecretLine } from './secret-input.ts'

/** `formwire login`: a key from stdin or a prompt, checked against the server, kept as a profile. */
export const login = defineCommand<{ withKey?: boolean; profile?: string; baseUrl?: string }>({
  description:
    'Asks the server whose key it is and stores key and server as a profile, readable by you alone, in the XDG ' +
    'configuration directory. It becomes the current profile. --profile names it (default: "default").',
  options: [{ flags: '--with-key', description: 'read the key from stdin instead of asking for it' }],
  examples: [
    [
      'formwire login --with-key --base-url https://forms.example.com < key.txt',
      'stores the key as profile "default"',
    ],
    ['pass formwire/staging | formwire login --with-key --profile staging', 'stores another one beside it'],
  ],
  exits: [1, 4, 5, 6],
  async run(context, _args, options) {
    const name = checkProfileName(options.profile ?? 'default')
    const file = readProfiles(context.runtime)
    const baseUrl = loginBaseUrl(context, options.baseUrl ?? file.profiles[name]?.base_url)
    const apiKey = await readKey(context, options.withKey === true)
    context.hide(apiKey)
    const { createClient } = await import('../http/api-client.ts')
    const me = await createClient(context, { baseUrl, apiKey, keySource: 'stdin' }).me()
    file.profiles[name] = { base_url: baseUrl, api_key: apiKey }
    file.current = name
    writeProfiles(context.runtime, file)
    if (context.output.json) await context.output.document({ profile: name, base_url: baseUrl, ...me })
    context.output.note(
      `logged in as ${me.user.name} (${me.key.scope}, workspace "${me.workspace.name}"); ` +
        `profile "${name}" in ${profilesPath(context.runtime)}`,
    )
  },
})

/** The server to log in to: an option or the profile of that name first, else the environment or current profile. */
function loginBaseUrl(context: Context, chosen: string | undefined): string {
  return resolveBaseUrl(context.runtime, { baseUrl: chosen })
}

async function readKey(context: Context, withKey: boolean): Promise<string> {
  const { runtime } = context
  if (!withKey && runtime.stdin.isTTY !== true) {
    throw usage(
      'without a terminal the key is read from stdin only with --with-key',
      'formwire login --with-key < key.txt',
    )
  }
  const text = await readSecretLine(runtime, 'API key: ')
  if (text !== undefined && text.trim() !== '') return checkKey(text, 'stdin')
  throw new Failure('no API key on stdin', {
    exitCode: EXIT.notAllowed,
    code: 'no_key',
    hint: 'formwire login --with-key < key.txt',
  })
}
