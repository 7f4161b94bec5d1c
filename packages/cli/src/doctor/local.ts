import { statSync } from 'node:fs'
import { configuredServer, resolveCredentials } from '../config/credentials.ts'
import { profilesPath, readProfiles } from '../config/profiles.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import { countOf } from '../output/progress.ts'
import { type Check, check } from './check.ts'

/** Oldest Node.js that the program supports, as in package.json. */
const NODE_MIN = [20, 19] as const

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOldEnough = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])
  if (isOldEnough) return check('node', 'ok', version)
  const hint = `install Node.js ${NODE_MIN.join('.')} or newer`
  return check('node', 'fault', `${version} is too old`, hint, EXIT.failed)
}

/** What is configured, as far as it is valid. */
export interface Configuration {
  checks: Check[]
  baseUrl?: string
  apiKey?: string
  keySource?: string
  keyProfile?: string | undefined
}

/** Checks the profiles file, the base URL and that there is a key, without any request. */
export function checkConfiguration(context: Context): Configuration {
  const { runtime, global } = context
  const result: Configuration = { checks: [] }
  try {
    readProfiles(runtime)
    const baseUrl = configuredServer(runtime, global)?.baseUrl
    if (baseUrl !== undefined) result.baseUrl = baseUrl
    result.checks.push(baseUrl === undefined ? NO_BASE_URL : fileCheck(context, baseUrl))
    if (baseUrl === undefined) result.checks.push(check('server', 'skipped', 'no base URL'))
  } catch (error) {
    result.checks.push(fault('configuration', error))
    result.checks.push(check('server', 'skipped', 'the configuration is not valid'))
  }
  try {
    const { apiKey, keySource, keyProfile } = resolveCredentials(runtime, global)
    context.hide(apiKey)
    Object.assign(result, { apiKey, keySource, keyProfile })
  } catch (error) {
    if ((error as Failure).exitCode === EXIT.notAllowed) result.checks.push(fault('key', error))
    else if (result.baseUrl !== undefined)
      result.checks.push({ ...fault('key', error), exitCode: EXIT.failed })
  }
  return result
}

const NO_BASE_URL = check(
  'configuration',
  'fault',
  'no base URL',
  'pass --base-url URL, set FORMWIRE_BASE_URL, or log in: formwire login',
  EXIT.failed,
)

/** The configuration with a valid base URL; a warning when others can read the keys. */
function fileCheck(context: Context, baseUrl: string): Check {
  const { runtime, global } = context
  const { current, profiles } = readProfiles(runtime)
  const path = profilesPath(runtime)
  const count = Object.keys(profiles).length
  const used = global.profile ?? current
  const stored =
    count === 0
      ? 'no profiles'
      : `${countOf(count, 'profile')} in ${path}${used === null ? ', none current' : `, "${used}" current`}`
  const message = `server ${baseUrl}; ${stored}`
  return count === 0 || process.platform === 'win32' || (statSync(path).mode & 0o077) === 0
    ? check('configuration', 'ok', message)
    : check('configuration', 'warning', `${message}, readable by others`, `chmod 600 ${path}`)
}

/** Returns the fault of a check that failed with this error. An unknown profile ends the command instead. */
function fault(name: Check['name'], error: unknown): Check {
  if (!(error instanceof Failure) || error.exitCode === EXIT.notFound) throw error
  const exitCode = error.exitCode === EXIT.notAllowed ? EXIT.notAllowed : EXIT.failed
  return check(name, 'fault', error.message, error.hint, exitCode)
}
