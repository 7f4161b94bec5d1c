import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { writeWholeSync } from '@formwire/internal/temporary-file'
import { profilesPath } from '../config/profiles.ts'
import { isCi } from '../output/output.ts'
import type { Runtime } from '../runtime.ts'
import { isNewer } from './versions.ts'

const DAY_MS = 86_400_000

/** What is known about the latest version. Times are milliseconds since the epoch. */
interface UpdateState {
  checked_at: number
  notified_at: number
  latest: string | null
}

type Place = Pick<Runtime, 'env' | 'homeDir'>

/**
 * Whether updates are looked for: on a terminal, for a released version, unless CI, NO_UPDATE_NOTIFIER or the setting
 * `"update_notice": false` in config.json turns it off.
 */
export function looksForUpdates(
  place: Place,
  terminal: { stdout: boolean; stderr: boolean },
  argv: readonly string[],
  version: string,
): boolean {
  const { env } = place
  if (!terminal.stdout || !terminal.stderr || version === '0.0.0' || isCi(env)) return false
  if (env.NO_UPDATE_NOTIFIER || argv.some((word) => /^(?:--json|--quiet|-q|__)/.test(word))) return false
  return setting(place) !== false
}

function setting(place: Place): unknown {
  try {
    const text = readFileSync(join(dirname(profilesPath(place)), 'config.json'), 'utf8')
    return (JSON.parse(text) as { update_notice?: unknown }).update_notice
  } catch {
    return undefined
  }
}

/**
 * Returns the notice of a newer version, at most once a day, and whether it is time to look for one again. Saves that both have
 * happened. `install` is the command that the notice names.
 */
export function updateNotice(
  place: Place,
  version: string,
  now: number,
  install = 'npm install --global @formwire/cli',
): { notice: string | undefined; isCheckDue: boolean } {
  const state = readState(place)
  const isNoticeDue = isNewer(state.latest, version) && now - state.notified_at >= DAY_MS
  const isCheckDue = now - state.checked_at >= DAY_MS
  if (isNoticeDue || isCheckDue) {
    writeState(place, {
      ...state,
      ...(isNoticeDue ? { notified_at: now } : {}),
      ...(isCheckDue ? { checked_at: now } : {}),
    })
  }
  const notice = isNoticeDue
    ? `formwire ${state.latest} is available, this is ${version}: ${install}`
    : undefined
  return { notice, isCheckDue }
}

/** Saves the latest version. */
export function saveLatest(place: Place, latest: string): void {
  writeState(place, { ...readState(place), latest })
}

function statePath({ env, homeDir }: Place): string {
  const cache = env.XDG_CACHE_HOME
  return join(cache && isAbsolute(cache) ? cache : join(homeDir, '.cache'), 'formwire', 'update.json')
}

function readState(place: Place): UpdateState {
  try {
    const { checked_at, notified_at, latest } = JSON.parse(
      readFileSync(statePath(place), 'utf8'),
    ) as UpdateState
    return {
      checked_at: Number(checked_at) || 0,
      notified_at: Number(notified_at) || 0,
      latest: typeof latest === 'string' ? latest : null,
    }
  } catch {
    return { checked_at: 0, notified_at: 0, latest: null }
  }
}

/** A cache that cannot be written only means that there is no notice. */
function writeState(place: Place, state: UpdateState): void {
  const path = statePath(place)
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeWholeSync(path, JSON.stringify(state))
  } catch {
    // No cache, no notice.
  }
}
