import { lstat, readFile, readlink, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { sleep } from '@formwire/internal/clock'
import { systemClock } from '../clock.ts'
import { CheckpointError } from '../errors/client-errors.ts'

// Read once: the fake timers of a test runner would falsify the dates of the touches.
const { now } = Date

/** Content of a lock file. */
interface Holder {
  pid: number
  /** Host name, and on Linux the PID namespace of `pid`. */
  host: string
  /** Unique to each acquisition. */
  nonce: string
}

/** A lock file that was read. */
interface Found {
  text: string
  holder: Partial<Holder>
  modifiedAt: number
}

const shared = globalThis as { [key: symbol]: Set<string> | undefined }
const HELD = Symbol.for('@formwire/sdk/file-locks')
shared[HELD] ??= new Set()

/** Nonces of the locks held by this process, shared by all copies of the package. */
const held = shared[HELD]

/** Milliseconds between checks while another process removes a stale lock. */
const GUARD_WAIT_MS = 20
/** Milliseconds that acquiring takes at most, besides a lease to watch the lock and one for the guard of a killed process. */
const ACQUIRE_MS = 10_000

/**
 * Takes the advisory lock of a file: `<file>.lock`, created exclusively. Takes over a lock whose process has ended, or that has not been
 * touched for `leaseMs`. Returns false if the signal aborts first.
 *
 * @param nonce unique to this acquisition @throws CheckpointError with the reason "locked" if another poller holds the lock.
 */
export async function acquireLock(
  file: string,
  nonce: string,
  leaseMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const path = lockOf(file)
  const host = `${hostname()} ${await readlink('/proc/self/ns/pid').catch(() => '')}`.trim()
  const text = JSON.stringify({ pid: process.pid, host, nonce } satisfies Holder)
  let first: { found: Found; at: number } | undefined
  const until = systemClock.now() + leaseMs * 2 + ACQUIRE_MS
  while (systemClock.now() < until) {
    if (signal?.aborted) return false
    if (await create(path, text)) {
      held.add(nonce)
      return true
    }
    const found = await readLock(path)
    if (!found) {
      await sleep(systemClock, GUARD_WAIT_MS, signal)
      continue
    }
    const state = classifyLock(found, host, leaseMs)
    if (state === 'held') throw lockedError(file, found.holder)
    if (state === 'unknown') {
      // Its process or its clock is not visible from here. Watch whether the holder touches the lock.
      first ??= { found, at: systemClock.now() }
      if (first.found.text !== found.text || first.found.modifiedAt !== found.modifiedAt)
        throw lockedError(file, found.holder)
      if (systemClock.now() - first.at < leaseMs) {
        await sleep(systemClock, leaseMs / 10, signal)
        continue
      }
    }
    await removeStale(path, found.text, leaseMs)
  }
  throw new CheckpointError(
    `The checkpoint ${file} cannot be locked; if no poll uses it, delete ${path} and ${guardOf(path)}.`,
  )
}

/** Returns whether the lock of a file is still that of an acquisition. */
export async function holdsLock(file: string, nonce: string): Promise<boolean> {
  return (await readLock(lockOf(file)))?.holder.nonce === nonce
}

/** Touches the lock of a file. Returns whether it is still that of an acquisition. */
export async function renewLock(file: string, nonce: string): Promise<boolean> {
  const holds = await holdsLock(file, nonce)
  if (holds) await touch(lockOf(file))
  return holds
}

/** Removes the lock of a file if it is that of an acquisition. */
export async function releaseLock(file: string, nonce: string): Promise<void> {
  try {
    if (await holdsLock(file, nonce)) await unlink(lockOf(file))
  } finally {
    held.delete(nonce)
  }
}

const lockOf = (file: string): string => `${file}.lock`
const guardOf = (lock: string): string => `${lock}.break`

async function create(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 })
    // A file server dates a new file by its own clock.
    await touch(path).catch(() => undefined)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Sets the modification time to that of the local clock. */
async function touch(path: string): Promise<void> {
  const seconds = now() / 1000
  await utimes(path, seconds, seconds)
}

/** Reads a lock file, if there is one. */
async function readLock(path: string): Promise<Found | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    return { text, holder: parse(text), modifiedAt: mtimeMs }
  } catch (error) {
    // A symbolic link without a target cannot be read, but is in the way of a new file.
    const link = await lstat(path).catch(() => undefined)
    if (codeOf(error) === 'ENOENT' && !link?.isSymbolicLink()) return undefined
    throw error
  }
}

function parse(text: string): Partial<Holder> {
  try {
    return Object(JSON.parse(text))
  } catch {
    // Not completely written yet, or the writer was killed.
    return {}
  }
}

function classifyLock(
  { holder, modifiedAt }: Found,
  host: string,
  leaseMs: number,
): 'held' | 'stale' | 'unknown' {
  const { pid, nonce } = holder
  if (nonce !== undefined && held.has(nonce)) return 'held'
  // The same pid belongs to a worker thread, or to an earlier process of a container.
  if (holder.host !== host || pid === undefined || pid === process.pid) return 'unknown'
  if (!isAlive(pid)) return 'stale'
  // An old or future date may come from a wrong clock.
  return Math.abs(now() - modifiedAt) < leaseMs ? 'held' : 'unknown'
}

/**
 * Removes a stale lock, but not a lock that another poller has created meanwhile: a guard file lets one process at a time check the
 * lock again and remove it.
 */
async function removeStale(path: string, text: string, leaseMs: number): Promise<void> {
  const guard = guardOf(path)
  if (await create(guard, '')) {
    try {
      if ((await readLock(path))?.text === text) await unlink(path)
    } finally {
      await unlink(guard)
    }
    return
  }
  // Remove the guard of a process that was killed while it held it.
  const found = await readLock(guard)
  if (found && Math.abs(now() - found.modifiedAt) > leaseMs) await unlink(guard).catch(() => undefined)
  await sleep(systemClock, GUARD_WAIT_MS)
}

function lockedError(file: string, { pid, host }: Partial<Holder>): CheckpointError {
  const by = pid === undefined ? 'another poller' : `process ${pid} on ${host?.split(' ')[0]}`
  return new CheckpointError(
    `The checkpoint ${file} is in use by ${by}; stop that poll or use another checkpoint.`,
    { reason: 'locked', holder: by },
  )
}

/** Whether a process is running on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
