import { chmodSync, readFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { makeFolder, writeFile } from '@formwire/internal/files'
import { parseObject, textProblem } from '@formwire/internal/json'
import type { CheckpointError } from '@formwire/sdk'
import { fileFailure, fileProblem, notFound, usage } from '../failure.ts'
import { targetOf } from '../files/output-file.ts'
import type { ConfigEnvironment, Runtime } from '../runtime.ts'

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
  const hint =
    known.length > 0 ? `profiles: ${known.join(', ')}` : `store one: formwire login --profile ${name}`
  throw notFound(`profile "${name}" not found`, hint, { code: 'no_profile' })
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
  if (!file)
    throw usage(
      `${path} is ${textProblem(text, 'not a valid profiles file')}`,
      'move or delete it, then log in again',
    )
  return file
}

function parseProfiles(text: string): ProfileFile | undefined {
  const { current, profiles }: Partial<ProfileFile> = parseObject(text) ?? {}
  if (typeof profiles !== 'object' || profiles === null) return undefined
  const entries = Object.entries(profiles).filter(
    ([, profile]) => typeof profile?.base_url === 'string' && typeof profile.api_key === 'string',
  )
  return { current: typeof current === 'string' ? current : null, profiles: Object.fromEntries(entries) }
}

/** How long, in milliseconds, and how often another command that changes the file is waited for. */
const LOCK_WAIT_MS = 50
const LOCK_WAITS = 200
/** Expiry of the lock of a killed command whose process cannot be seen, such as that of another container. */
const LEASE_MS = 2_000

/**
 * Changes the profiles: reads the file under a lock, so that nothing that another command has changed meanwhile is undone, and
 * replaces it by renaming, with mode 0600 in a directory of mode 0700. A symbolic link is kept: the file that it leads to is replaced.
 *
 * @param change is called before, too, so that what it refuses leaves no folder. @throws Failure what it throws; exit 2 if the file
 * cannot be written
 */
export async function changeProfiles<Result>(
  runtime: Pick<Runtime, 'env' | 'homeDir' | 'clock' | 'stop'>,
  change: (file: ProfileFile) => Result,
): Promise<Result> {
  change(readProfiles(runtime))
  const path = profilesPath(runtime)
  const target = await targetOf(path)
  try {
    // A lock would create the folder that a link leads into, such as one of a volume that is not mounted.
    if (target !== path) await access(dirname(target))
    await makeFolder(dirname(path), 0o700)
    chmodSync(dirname(path), 0o700)
    const lease = await lockFile(target, runtime)
    try {
      const file = readProfiles(runtime)
      const result = change(file)
      await writeFile(target, `${JSON.stringify(file, null, 2)}\n`, { fsync: true })
      return result
    } finally {
      await lease?.release()
    }
  } catch (error) {
    if (fileProblem(error) === undefined) throw error
    throw fileFailure(`write the profiles file ${path}`, error, 'set XDG_CONFIG_HOME to another directory')
  }
}

/** Takes the lock that checkpoints have, too. @throws Failure exit 2 if another command keeps it; the error of the file system */
async function lockFile(path: string, { clock, stop }: Pick<Runtime, 'clock' | 'stop'>) {
  const { fileCheckpoint } = await import('@formwire/sdk/checkpoint/file')
  const locks = fileCheckpoint(dirname(path), { leaseMs: LEASE_MS })
  for (let waits = 0; ; waits += 1) {
    try {
      return await locks.acquire?.(basename(path), stop)
    } catch (error) {
      stop.throwIfAborted()
      const { name, reason, holder = 'another command', cause } = error as CheckpointError
      if (name !== 'CheckpointError' || cause !== undefined) throw cause ?? error
      if (reason !== 'locked' || waits === LOCK_WAITS)
        throw usage(`${path} is in use by ${holder}`, 'end that command, then try again')
    }
    await clock.sleep(LOCK_WAIT_MS, stop)
  }
}
