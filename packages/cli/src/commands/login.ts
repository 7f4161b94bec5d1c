import { defineCommand } from '../command.ts'
import { checkNewKey, completedBaseUrl, givenServer, type Server } from '../config/credentials.ts'
import {
  changeProfiles,
  checkProfileName,
  type Profile,
  profilesPath,
  readProfiles,
} from '../config/profiles.ts'
import type { Context } from '../context.ts'
import { notAllowed, usage } from '../failure.ts'
import { readSecretLine, readVisibleLine } from '../input/secret-input.ts'

/** `formwire login`: reads a key from stdin or a prompt, checks it against the server and stores it as a profile. */
export const login = defineCommand({
  path: ['login'],
  summary: 'store an API key as a profile',
  description:
    'Asks for the server and the key, checks the key against the server, then stores both as a profile in the XDG ' +
    'configuration directory. Only you can read the file. The profile becomes the current one. Name it with --profile ' +
    '(default: "default"). Logging in again asks only for the key, unless --base-url names another server. A new profile ' +
    'never uses the server of another one.',
  options: [
    { name: 'with-key', description: 'read the key from stdin instead of prompting' },
    { name: 'key-stdin', description: 'same as --with-key' },
  ],
  examples: {
    'formwire login': 'on a terminal: ask for the server and the key',
    'formwire login --with-key --base-url https://forms.example.com < key.txt':
      'store the key as profile "default"',
    'pass formwire/staging | formwire login --with-key --profile staging --base-url https://staging.example.com':
      'store a second profile',
  },
  exits: [1, 4, 5, 6],
  fields: ['profile', 'base_url', 'user', 'workspace', 'key'],
  task: () => 'log in',
  async run(context, _args, options) {
    const name = checkProfileName(context.global.profile ?? 'default')
    const { [name]: profile } = readProfiles(context.runtime).profiles
    context.server = await loginServer(context, context.global.baseUrl, { name, profile })
    const { baseUrl } = context.server
    const fromStdin = options.withKey === true || options.keyStdin === true
    const apiKey = await readKey(context, fromStdin, baseUrl)
    context.hide(apiKey)
    const { createClient } = await import('../http/api-client.ts')
    const me = await createClient(context, { ...context.server, apiKey, keySource: 'stdin' }).me()
    const isSwitch = await changeProfiles(context.runtime, (file) => {
      const replacesCurrent = file.current !== name && Object.keys(file.profiles).length > 0
      file.profiles[name] = { base_url: baseUrl, api_key: apiKey }
      file.current = name
      return replacesCurrent
    })
    if (context.output.json) await context.output.document({ profile: name, base_url: baseUrl, ...me })
    context.output.note(
      `logged in as ${me.user.name} (${me.key.scope}, workspace "${me.workspace.name}"); ` +
        `profile "${name}" in ${profilesPath(context.runtime)}${isSwitch ? ', now the current one' : ''}`,
      'good',
    )
  },
})

/**
 * Returns the server to log in to: that of the option, the profile of that name or the environment, else what is typed on a
 * terminal. Never that of another profile, which would receive a key that is not for it (AUTH-02).
 */
async function loginServer(
  context: Context,
  baseUrl: string | undefined,
  stored: { name: string; profile: Profile | undefined },
): Promise<Server> {
  const { runtime } = context
  const given = givenServer(runtime, { baseUrl }, stored)
  if (given) return given
  const line = runtime.stdin.isTTY ? await askForServer(context) : undefined
  const typed = givenServer(runtime, { baseUrl: line && completedBaseUrl(line) })
  if (typed) return { ...typed, serverSource: 'the input' }
  throw usage(`no base URL for profile "${stored.name}"`, 'pass --base-url URL or set FORMWIRE_BASE_URL')
}

/** Asks until something is typed. Resolves to undefined when stdin ends. */
async function askForServer({ runtime, output }: Context): Promise<string | undefined> {
  for (;;) {
    const line = (await readVisibleLine(runtime, 'Server URL: '))?.trim()
    if (line !== '') return line
    output.note('type the URL of the service, such as https://forms.example.com; Ctrl-C cancels', 'wait')
  }
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
  if (isTerminal)
    throw notAllowed('no_key', 'no API key was entered', 'create one in the app, then log in again')
  const hint = 'stdin is empty: create a key in the app and pass it there'
  throw notAllowed('no_key', 'no API key on stdin', hint)
}
