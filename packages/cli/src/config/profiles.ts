import { chmodSync, mkdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { writeWholeSync } from '@formwire/internal/temporary-file'
import { EXIT } from '../exit.ts'
import { Failure, fileFailure, usage } from '../failure.ts'
import type { ConfigEnvironment } from '../runtime.ts'

/** A server and a key, as `login` stores them. */
export interface Profile {
  base_url: string
  api_key: string
}

/** The profiles file. `current` applies when neither `--profile` nor FORMWIRE_API_KEY is set. */
export interface ProfileFile {
  current: string | null
  profiles: Record<string, Profile>
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Returns the name. @throws Failure exit 2 unless it is a valid profile name */
export function checkProfileName(name: string): string {
  if (NAME.test(name) && name !== '__proto__') return name
  throw usage(
    'a profile name must consist of letters, digits, ".", "_" and "-", start with a letter or digit, and have at most 64 characters',
    'for example: --profile staging',
  )
}

/** Returns a stored profile. @throws Failure exit 3 if there is none of this name */
export function profileNamed({ profiles }: ProfileFile, name: string): Profile {
  const profile = Object.hasOwn(profiles, checkProfileName(name)) ? profiles[name] : undefined
  if (profile) return profile
  const known = Object.keys(profiles)
  throw new Failure(`profile "${name}" not found`, {
    exitCode: EXIT.notFound,
    code: 'no_profile',
    hint: known.length > 0 ? `profiles: ${known.join(', ')}` : `store one: formwire login --profile ${name}`,
  })
}

/** Removes a profile. When it was the current one, none is current afterwards. @throws Failure exit 3 */
export function removeProfile(file: ProfileFile, name: string): void {
  profileNamed(file, name)
  delete file.profiles[name]
  if (file.current === name) file.current = null
}

/** Returns the path of the profiles file: `$XDG_CONFIG_HOME/formwire/profiles.json`, or below `~/.config`. */
export function profilesPath(runtime: ConfigEnvironment): string {
  const configHome = runtime.env.XDG_CONFIG_HOME
  // The XDG specification requires relative paths to be ignored.
  const base = configHome && isAbsolute(configHome) ? configHome : join(runtime.homeDir, '.config')
  return join(base, 'formwire', 'profiles.json')
}

/** Returns the stored profiles; none when the file does not exist. */
export function readProfiles(runtime: ConfigEnvironment): ProfileFile {
  const path = profilesPath(runtime)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, profiles: {} }
    throw fileFailure(`read the profiles file ${path}`, error)
  }
  const file = parseProfiles(text)
  if (!file) throw usage(`${path} is not a valid profiles file`, 'move or delete it, then log in again')
  return file
}

function parseProfiles(text: string): ProfileFile | undefined {
  try {
    const { current, profiles } = JSON.parse(text) as Partial<ProfileFile>
    if (typeof profiles !== 'object' || profiles === null) return undefined
    const entries = Object.entries(profiles).filter(
      ([, profile]) => typeof profile?.base_url === 'string' && typeof profile.api_key === 'string',
    )
    return { current: typeof current === 'string' ? current : null, profiles: Object.fromEntries(entries) }
  } catch {
    return undefined
  }
}

/** Maximum number of symbolic links that lead to a file. */
const MAX_LINKS = 16

/** Returns the file that the path leads to through symbolic links. It does not have to exist. */
function linkedFile(path: string): string {
  let target = path
  for (let links = 0; links < MAX_LINKS; links += 1) {
    try {
      target = resolve(dirname(target), readlinkSync(target))
    } catch {
      return target
    }
  }
  throw usage(`too many symbolic links at ${path}`)
}

/**
 * Writes the file atomically (by rename), with mode 0600 in a directory of mode 0700. A symbolic link is kept: the file that
 * it leads to is replaced.
 */
export function writeProfiles(runtime: ConfigEnvironment, file: ProfileFile): void {
  const path = profilesPath(runtime)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  chmodSync(dirname(path), 0o700)
  const target = linkedFile(path)
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  writeWholeSync(target, `${JSON.stringify(file, null, 2)}\n`, true)
}
