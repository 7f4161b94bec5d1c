import { EXIT } from '../exit.ts'
import { Failure, usage } from '../failure.ts'
import type { Runtime } from '../runtime.ts'
import { checkProfileName, type Profile, readProfiles } from './profiles.ts'

/** The server and the key of API requests. */
export interface Credentials {
  baseUrl: string
  apiKey: string
  /** Where the key came from: `FORMWIRE_API_KEY` or `profile "name"`. */
  keySource: string
}

/** The global options that select credentials. */
export interface CredentialOptions {
  baseUrl?: string | undefined
  profile?: string | undefined
}

type Place = Pick<Runtime, 'env' | 'homeDir'>

const present = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : text

/**
 * Returns the base URL. The first that is set wins: `--base-url`, the profile of `--profile`, FORMWIRE_BASE_URL, the
 * current profile. @throws Failure exit 2 when none is set
 */
export function resolveBaseUrl(place: Place, options: CredentialOptions): string {
  const named = options.profile === undefined ? undefined : namedProfile(place, options.profile)
  const chosen =
    present(options.baseUrl) ??
    named?.base_url ??
    present(place.env.FORMWIRE_BASE_URL) ??
    currentProfile(place)?.profile.base_url
  if (chosen === undefined) {
    throw usage(
      'no base URL',
      'pass --base-url URL, set FORMWIRE_BASE_URL, or log in: formwire login --with-key',
    )
  }
  return checkBaseUrl(chosen, place.env.FORMWIRE_ALLOW_INSECURE === '1')
}

/** Returns base URL and key. `--profile` overrides FORMWIRE_API_KEY, which overrides the current profile. */
export function resolveCredentials(place: Place, options: CredentialOptions): Credentials {
  const baseUrl = resolveBaseUrl(place, options)
  if (options.profile !== undefined) {
    const profile = namedProfile(place, options.profile)
    return { baseUrl, apiKey: profile.api_key, keySource: `profile "${options.profile}"` }
  }
  const fromEnvironment = present(place.env.FORMWIRE_API_KEY)
  if (fromEnvironment !== undefined) {
    return { baseUrl, apiKey: checkKey(fromEnvironment, 'FORMWIRE_API_KEY'), keySource: 'FORMWIRE_API_KEY' }
  }
  const current = currentProfile(place)
  if (!current) {
    throw new Failure('no API key', {
      exitCode: EXIT.notAllowed,
      code: 'no_key',
      hint: 'set FORMWIRE_API_KEY, or log in: formwire login --with-key < key.txt',
    })
  }
  guardOrigin(current, baseUrl, options)
  return { baseUrl, apiKey: current.profile.api_key, keySource: `profile "${current.name}"` }
}

/** Refuses to send a stored key to another server than the one it was stored for, unless `--base-url` names it. */
function guardOrigin(
  current: { name: string; profile: Profile },
  baseUrl: string,
  options: CredentialOptions,
): void {
  if (options.baseUrl !== undefined) return
  if (new URL(baseUrl).origin === new URL(current.profile.base_url).origin) return
  throw usage(
    `FORMWIRE_BASE_URL is ${baseUrl}, but the key of profile "${current.name}" belongs to ${current.profile.base_url}`,
    `unset FORMWIRE_BASE_URL, set FORMWIRE_API_KEY too, or pass --base-url ${baseUrl} to send that key there`,
  )
}

function namedProfile(place: Place, name: string): Profile {
  const { profiles } = readProfiles(place)
  const profile = Object.hasOwn(profiles, checkProfileName(name)) ? profiles[name] : undefined
  if (profile) return profile
  const known = Object.keys(profiles)
  throw new Failure(`no profile "${name}"`, {
    exitCode: EXIT.notAllowed,
    code: 'no_key',
    hint:
      known.length > 0
        ? `known profiles: ${known.join(', ')}`
        : `store one: formwire login --with-key --profile ${name} < key.txt`,
  })
}

function currentProfile(place: Place): { name: string; profile: Profile } | undefined {
  const { current, profiles } = readProfiles(place)
  const profile = current !== null && Object.hasOwn(profiles, current) ? profiles[current] : undefined
  return current !== null && profile ? { name: current, profile } : undefined
}

/** Loopback hosts, and the host name of an in-process server (ENV-10). */
const LOCAL = /^(?:(?:.+\.)?localhost|\[::1\]|127(?:\.\d+){3}|formwire\.test)$/

/** Returns the URL without trailing slashes. Rejects one that is not http(s), or has credentials, a query or a fragment (AUTH-02). */
function checkBaseUrl(text: string, allowInsecure = false): string {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw usage(
      `base URL "${text}" is not a valid URL`,
      'pass the root of the service, for example https://forms.example.com',
    )
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw usage(`the base URL must be http or https, got ${url.protocol.slice(0, -1)}`)
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw usage(
      'the base URL must not contain a user name, password, query or fragment',
      'pass the key in FORMWIRE_API_KEY or a profile, never in a URL',
    )
  }
  if (url.protocol === 'http:' && !allowInsecure && !LOCAL.test(url.hostname)) {
    throw usage(
      `${url.origin} is plain HTTP, which would send the key unencrypted`,
      'use https, or set FORMWIRE_ALLOW_INSECURE=1 on a private network',
    )
  }
  const root = text.replace(/\/+$/, '')
  if (root.endsWith('/api/v1')) {
    throw usage('the base URL must not end with /api/v1', `use ${root.slice(0, -'/api/v1'.length)}`)
  }
  return root
}

/** Returns the trimmed key. Rejects one that is not valid in an Authorization header; the error names `source`, never the key. */
export function checkKey(text: string, source: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new Failure(`${source} does not contain a valid API key`, {
    exitCode: EXIT.notAllowed,
    code: 'no_key',
    hint: 'a key is one word that starts with svc_',
  })
}
