import { open, readFile, realpath, stat, unlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '@formwire/internal/json'
import { writeWhole } from '@formwire/internal/temporary-file'
import { invalidOption, shown } from '../verification/check-options.ts'
import { formNamedIn, type SecretStore, type StoredSecret } from './secret-store.ts'

const VERSION = 1
/** Milliseconds after which the lock of a writer that was killed is ignored. A writer holds it for the time of one small write. */
const LOCK_MS = 10_000
const LOCK_WAIT_MS = 20

/**
 * Keeps secrets in a file that only its owner can read. Each change replaces the file as a whole, and a receiver notices it with the next
 * delivery. Receivers on several machines share `createPostgresSecrets()`.
 * @example
 * const { secret } = createFileSecrets('/var/lib/formwire/secrets.json')
 * createReceiver({ secret, on })
 */
export function createFileSecrets(path: string): SecretStore {
  if (typeof path !== 'string' || path === '') throw invalidOption(`path must be a path, got ${shown(path)}.`)
  let cached: { stamp: string; byForm: Map<string, string[]> } | undefined

  async function secretsByForm(): Promise<Map<string, string[]>> {
    const { ino, size, mtimeMs } = await stat(path)
    const stamp = `${ino} ${size} ${mtimeMs}`
    if (cached?.stamp === stamp) return cached.byForm
    const byForm = new Map<string, string[]>()
    for (const { form_id, secret } of newestFirst(await read(path)))
      byForm.set(form_id, [...(byForm.get(form_id) ?? []), secret])
    cached = { stamp, byForm }
    return byForm
  }

  async function change(edit: (all: StoredSecret[]) => StoredSecret[]): Promise<void> {
    // A symbolic link is kept: the file that it leads to is replaced.
    const target = await realpath(path).catch(() => path)
    await exclusively(`${target}.lock`, async () => {
      const endpoints = edit(await readIfThere(target))
      await writeWhole(target, `${JSON.stringify({ version: VERSION, endpoints }, null, 2)}\n`, true)
    })
  }

  return {
    async secret(request) {
      const form = formNamedIn(request)
      return (form !== undefined && (await secretsByForm()).get(form)) || null
    },
    async list(workspaceId) {
      return (await readIfThere(path)).filter((one) => one.workspace_id === workspaceId)
    },
    save: (secret) => change((all) => [...all.filter((one) => !isSame(one, secret)), secret]),
    remove: (endpoint) => change((all) => all.filter((one) => !isSame(one, endpoint))),
  }
}

type Endpoint = Pick<StoredSecret, 'form_id' | 'webhook_id'>

const isSame = (one: Endpoint, other: Endpoint): boolean =>
  one.form_id === other.form_id && one.webhook_id === other.webhook_id

const newestFirst = (all: StoredSecret[]): StoredSecret[] =>
  all.sort((one, other) => other.webhook_id - one.webhook_id)

async function readIfThere(path: string): Promise<StoredSecret[]> {
  try {
    return await read(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** @throws Error for a file with another content, without any of it; the error of the file system */
async function read(path: string): Promise<StoredSecret[]> {
  let content: unknown
  try {
    content = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  const { version, endpoints } = Object(content) as { version?: unknown; endpoints?: unknown }
  if (version !== VERSION || !Array.isArray(endpoints) || !endpoints.every(isStored))
    throw new Error(`${path} is not a file of webhook secrets.`)
  return endpoints
}

function isStored(value: unknown): value is StoredSecret {
  return (
    isObject(value) &&
    ['workspace_id', 'form_id', 'url', 'secret'].every((name) => typeof value[name] === 'string') &&
    typeof value.webhook_id === 'number'
  )
}

/** Runs `work` while no other process does. */
async function exclusively(lock: string, work: () => Promise<void>): Promise<void> {
  while (!(await created(lock))) {
    const heldSince = await stat(lock).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    )
    if (Date.now() - heldSince > LOCK_MS) await unlink(lock).catch(() => undefined)
    else await sleep(LOCK_WAIT_MS)
  }
  try {
    await work()
  } finally {
    await unlink(lock).catch(() => undefined)
  }
}

async function created(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
