import { isPlainHttpHost } from '@formwire/internal/loopback'
import { urlOf } from '@formwire/internal/url'
import { type Failure, notAllowed, usage } from '../failure.ts'
import type { ConfigEnvironment } from '../runtime.ts'
import { type Profile, profileNamed, readProfiles } from './profiles.ts'

/** A service, and where its URL came from: `--base-url`, `FORMWIRE_BASE_URL` or `profile "name"`. */
export interface Server {
  baseUrl: string
  serverSource: string
}

/** The server and the key of API requests. */
export interface Credentials extends Server {
  apiKey: string
  /** Where the key came from: `FORMWIRE_API_KEY` or `profile "name"`. */
  keySource: string
  /** The profile that it came from. */
  keyProfile?: string | undefined
}

/** The global options that select credentials. */
export interface CredentialOptions {
  baseUrl?: string | undefined
  profile?: string | undefined
}

const present = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : text

/**
 * Returns the server. The first that is set wins: `--base-url`, the profile of `--profile`, FORMWIRE_BASE_URL, the
 * current profile. @throws Failure exit 2 when none is set
 */
export function resolveServer(from: ConfigEnvironment, options: CredentialOptions): Server {
  const chosen = configuredServer(from, options)
  if (chosen !== undefined) return chosen
  throw usage('no base URL', 'pass --base-url URL, set FORMWIRE_BASE_URL, or log in: formwire login')
}

/** Returns the server as `resolveServer` does, or undefined when none is set. @throws Failure exit 2 for an invalid URL */
export function configuredServer(
  from: ConfigEnvironment,
  { baseUrl, profile }: CredentialOptions,
): Server | undefined {
  const named = profile === undefined ? undefined : storedProfile(from, profile)
  return givenServer(from, { baseUrl }, named) ?? givenServer(from, {}, storedProfile(from))
}

/**
 * Returns the server of `--base-url`, else of the profile, else of FORMWIRE_BASE_URL, or undefined.
 * @throws Failure exit 2 for an invalid URL
 */
export function givenServer(
  { env }: ConfigEnvironment,
  { baseUrl }: Pick<CredentialOptions, 'baseUrl'>,
  stored?: { name: string; profile?: Profile | undefined },
): Server | undefined {
  const sources = [
    [baseUrl, '--base-url'],
    [stored?.profile?.base_url, `profile "${stored?.name}"`],
    [env.FORMWIRE_BASE_URL, 'FORMWIRE_BASE_URL'],
  ] as const
  const [text, serverSource = ''] = sources.find(([one]) => present(one) !== undefined) ?? []
  if (text === undefined) return undefined
  return { baseUrl: checkBaseUrl(text, env.FORMWIRE_ALLOW_INSECURE === '1'), serverSource }
}

/**
 * Returns base URL and key. `--profile` overrides FORMWIRE_API_KEY, which overrides the current profile.
 * @throws Failure exit 4 without a key, exit 2 without a base URL
 */
export function resolveCredentials(from: ConfigEnvironment, options: CredentialOptions): Credentials {
  const configured = configuredServer(from, options)
  const { profile: named } = options
  const fromEnvironment = named === undefined ? present(from.env.FORMWIRE_API_KEY) : undefined
  if (fromEnvironment !== undefined) {
    const keySource = 'FORMWIRE_API_KEY'
    const apiKey = checkKey(fromEnvironment, keySource)
    return { ...(configured ?? resolveServer(from, options)), apiKey, keySource }
  }
  const stored = storedProfile(from, named)
  if (!stored) throw noKey(from, configured !== undefined)
  const keySource = `profile "${stored.name}"`
  const apiKey = checkKey(stored.profile.api_key, keySource)
  const server = configured ?? resolveServer(from, options)
  if (named === undefined) guardOrigin(stored, server.baseUrl, options)
  return { ...server, apiKey, keySource, keyProfile: stored.name }
}

function noKey(from: ConfigEnvironment, hasBaseUrl: boolean): Failure {
  const [stored] = Object.keys(readProfiles(from).profiles)
  const hint =
    stored === undefined
      ? `log in: formwire login, or set FORMWIRE_API_KEY${hasBaseUrl ? '' : ' and FORMWIRE_BASE_URL'}`
      : `no profile is selected: run formwire profiles use ${stored}, or set FORMWIRE_API_KEY`
  return notAllowed('no_key', 'no API key', hint)
}

/** Refuses to send a stored key to another server than the one it was stored for, unless `--base-url` names it. */
function guardOrigin({ name, profile }: Stored, baseUrl: string, options: CredentialOptions): void {
  if (present(options.baseUrl) !== undefined) return
  if (new URL(baseUrl).origin === new URL(profile.base_url).origin) return
  throw usage(
    `FORMWIRE_BASE_URL is ${baseUrl}, but the key of profile "${name}" belongs to ${profile.base_url}`,
    `unset FORMWIRE_BASE_URL, set FORMWIRE_API_KEY too, or pass --base-url ${baseUrl} to send that key there`,
  )
}

interface Stored {
  name: string
  profile: Profile
}

/** Returns the profile of this name, or the current one if there is one. @throws Failure exit 3 for an unknown name */
function storedProfile(from: ConfigEnvironment, named?: string): Stored | undefined {
  const file = readProfiles(from)
  if (named !== undefined) return { name: named, profile: profileNamed(file, named) }
  const { current: name, profiles } = file
  const profile = name !== null && Object.hasOwn(profiles, name) ? profiles[name] : undefined
  return name !== null && profile ? { name, profile } : undefined
}

/** Whether the URL is one of this machine, where a reference server may run. */
export const isLocal = (url: string): boolean => isPlainHttpHost(urlOf(url)?.hostname ?? '')

/** A host, with a port or not, but without a scheme. A longer text may contain a key and is not repeated. */
const BARE_HOST = /^(([a-z\d.-]+)(?::\d+)?)\/?$/i
const API_ROOT = '/api/v1'

/** Returns the base URL that was probably meant: with a scheme, without the path of the API. */
export function completedBaseUrl(text: string): string {
  const [, root, host = ''] = BARE_HOST.exec(text) ?? []
  const url = root === undefined ? text : `${isPlainHttpHost(host) ? 'http' : 'https'}://${root}`
  const at = `${url}/`.indexOf(`${API_ROOT}/`)
  return at < 0 ? url : url.slice(0, at)
}

/** Returns the URL without trailing slashes. Rejects one that is not http(s), or has credentials, a query or a fragment (AUTH-02). */
function checkBaseUrl(text: string, allowInsecure = false): string {
  if (!/^https?:/i.test(text)) {
    const isBareHost = BARE_HOST.test(text)
    const scheme = isBareHost ? undefined : /^([a-z][a-z\d+.-]*):\/\//i.exec(text)?.[1]
    throw usage(
      `the base URL must begin with https:// or http://${scheme === undefined ? '' : `, got ${scheme}://`}`,
      isBareHost
        ? `use ${completedBaseUrl(text)}`
        : 'pass the root of the service, for example https://forms.example.com',
    )
  }
  const url = urlOf(text)
  if (!url) {
    throw usage(
      'the base URL is not a valid URL',
      'pass the root of the service, for example https://forms.example.com',
    )
  }
  // URL drops empty credentials, but a reader may take the text before the @ for the host.
  if (/^https?:[/\\]*[^/\\?#]*@/i.test(text) || url.search !== '' || url.hash !== '') {
    throw usage(
      `the base URL of ${url.host} must not contain a user name, password, query or fragment`,
      'pass the key in FORMWIRE_API_KEY or a profile, never in a URL',
    )
  }
  if (url.protocol === 'http:' && !allowInsecure && !isPlainHttpHost(url.hostname)) {
    throw usage(
      `${url.origin} is plain HTTP, which would send the key unencrypted`,
      'use https, or set FORMWIRE_ALLOW_INSECURE=1 on a private network',
    )
  }
  const root = `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  const completed = completedBaseUrl(root)
  if (completed !== root) throw usage(`the base URL must not contain ${API_ROOT}`, `use ${completed}`)
  return root
}

/**
 * Returns the trimmed key, or admin token. @throws Failure exit 4 if an Authorization header cannot carry it; the message names
 * `source`, never the key
 */
export function checkKey(text: string, source: string, kind: keyof typeof KINDS = 'API key'): string {
  const key = text.trim()
  // A webhook secret in place of a key would be sent to the service.
  const isSecret = kind === 'API key' && key.startsWith('whsec_')
  if (!isSecret && /^[\x21-\x7e]+$/.test(key)) return key
  throw notAKey(source, kind)
}

/** As `checkKey`, for a key to be stored: it must also look like one (AUTH-06). */
export function checkNewKey(text: string, source: string): string {
  const key = checkKey(text, source)
  if (key.startsWith('svc_')) return key
  throw notAKey(source)
}

const KINDS = {
  'API key': ['no_key', 'a key is one word that starts with svc_'],
  'admin token': ['no_admin_token', 'it is one word, which the reference server printed at startup'],
} as const

function notAKey(source: string, kind: keyof typeof KINDS = 'API key'): Failure {
  const [code, hint] = KINDS[kind]
  return notAllowed(code, `${source} does not contain a valid ${kind}`, hint)
}
