import { defineCommand } from '../command.ts'
import { checkNewKey, completedBaseUrl, configuredBaseUrl, resolveBaseUrl } from '../config/credentials.ts'
import { checkProfileName, profilesPath, readProfiles, writeProfiles } from '../config/profiles.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { Failure, usage } from '../failure.ts'
import { readSecretLine, readVisibleLine } from '../input/secret-input.ts'

/** `formwire login`: reads a key from stdin or a prompt, checks it against the server and stores it as a profile. */
export const login = defineCommand<{ withKey?: boolean; profile?: string; baseUrl?: string }>({
  description:
    'Asks for the server and the key, checks the key against the server, then stores both as a profile in the XDG ' +
    'configuration directory. Only you can read the file. The profile becomes the current one. Name it with --profile ' +
    '(default: "default"). Logging in again asks only for the key, unless --base-url names another server.',
  options: [{ flags: '--with-key', description: 'read the key from stdin instead of prompting' }],
  examples: [
    ['formwire login', 'on a terminal: ask for the server and the key'],
    [
      'formwire login --with-key --base-url https://forms.example.com < key.txt',
      'store the key as profile "default"',
    ],
    ['pass formwire/staging | formwire login --with-key --profile staging', 'store a second profile'],
  ],
  exits: [1, 4, 5, 6],
  fields: ['profile', 'base_url', 'user', 'workspace', 'key'],
  async run(context, _args, options) {
    const name = checkProfileName(options.profile ?? 'default')
    const file = readProfiles(context.runtime)
    const baseUrl = await loginBaseUrl(context, options.baseUrl ?? file.profiles[name]?.base_url)
    context.server = baseUrl
    const apiKey = await readKey(context, options.withKey === true, baseUrl)
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

/**
 * Returns the server to log in to: the option or the profile of that name, else the environment or current profile, else
 * what is typed on a terminal.
 */
async function loginBaseUrl(context: Context, chosen: string | undefined): Promise<string> {
  const { runtime } = context
  const configured = configuredBaseUrl(runtime, { baseUrl: chosen })
  if (configured !== undefined) return configured
  const typed = runtime.stdin.isTTY ? await readVisibleLine(runtime, 'Server URL: ') : undefined
  return resolveBaseUrl(runtime, { baseUrl: typed && completedBaseUrl(typed.trim()) })
}

async function readKey({ runtime }: Context, withKey: boolean, baseUrl: string): Promise<string> {
  const isTerminal = runtime.stdin.isTTY === true
  if (!withKey && !isTerminal) {
    throw usage(
      'stdin is not a terminal: pass --with-key to read the key from stdin',
      'formwire login --with-key < key.txt',
    )
  }
  const text = await readSecretLine(runtime, `API key for ${baseUrl} (hidden): `)
  if (text !== undefined && text.trim() !== '') return checkNewKey(text, isTerminal ? 'the input' : 'stdin')
  throw new Failure(isTerminal ? 'no API key was entered' : 'no API key on stdin', {
    exitCode: EXIT.notAllowed,
    code: 'no_key',
    hint: isTerminal ? 'create one in the app, then log in again' : 'formwire login --with-key < key.txt',
  })
}
