import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { usage } from '../failure.ts'
import type { Runtime } from '../runtime.ts'

/** What `login` keeps of one account. */
export interface Profile {
  base_url: string
  api_key: string
}

/** The file of profiles. `current` is used when neither `--profile` nor FORMWIRE_API_KEY names another. */
export interface ProfileFile {
  current: string | null
  profiles: Record<string, Profile>
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Refuses a profile name that could not be a plain word. */
export function checkProfileName(name: string): string {
  if (NAME.test(name) && name !== '__proto__') return name
  throw usage(
    'a profile name takes letters, digits, ".", "_" and "-", 64 at most',
    'for example: --profile staging',
  )
}

/** Path of the file: `$XDG_CONFIG_HOME/formwire/profiles.json`, or below `~/.config`. */
export function profilesPath(runtime: Pick<Runtime, 'env' | 'homeDir'>): string {
  const configHome = runtime.env.XDG_CONFIG_HOME
  // The XDG specification says that a relative path is to be ignored.
  const base = configHome?.startsWith('/') ? configHome : join(runtime.homeDir, '.config')
  return join(base, 'formwire', 'profiles.json')
}

/** The stored profiles; none when there is no file yet. */
export function readProfiles(runtime: Pick<Runtime, 'env' | 'homeDir'>): ProfileFile {
  const path = profilesPath(runtime)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, profiles: {} }
    throw usage(`cannot read the profiles at ${path}: ${(error as NodeJS.ErrnoException).code}`)
  }
  const file = parseProfiles(text)
  if (!file) throw usage(`${path} is not a file of profiles`, 'move it away and log in again')
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

/** Writes the file at once or not at all: 0600 in a directory of 0700, renamed into place. */
export function writeProfiles(
  runtime: Pick<Runtime, 'env' | 'homeDir' | 'randomId'>,
  file: ProfileFile,
): void {
  const path = profilesPath(runtime)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  chmodSync(dirname(path), 0o700)
  const temporary = `${path}.${runtime.randomId()}`
  try {
    const descriptor = openSync(temporary, 'wx', 0o600)
    try {
      writeSync(descriptor, `${JSON.stringify(file, null, 2)}\n`)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
