import type { WebhookEndpoint } from '@formwire/contract'
import { type Formwire, isNotFoundError } from '@formwire/sdk'
import type { StoredSecret } from '@formwire/webhook-verify/secrets'
import { member } from '../columns/members.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import { statusPen } from '../output/colour.ts'
import { countOf, grouped, Progress } from '../output/progress.ts'
import type { Column } from '../output/table.ts'
import { toFailure } from '../report.ts'
import type { Ensured } from './ensured.ts'
import { openSecrets, type SecretsTarget, type SecretsWriter } from './open-secrets.ts'

/** A parsed `formwire webhooks ensure`. */
export interface EnsureRequest {
  forms: readonly string[] | 'all'
  /** `{form}` stands for the id of the form. */
  url: string
  store: SecretsTarget
  /** Whether endpoints with this URL whose secret is not stored are deleted. */
  replaces: boolean
}

/** Milliseconds for which the secret of a deleted endpoint is still accepted: longer than a receiver's tolerance. */
const OVERLAP_MS = 600_000

/** How often, and every how many milliseconds, a run waits for the secret that another one has to store. */
const LOOKS = 5
const LOOK_MS = 1000
/** Milliseconds for which an endpoint may be one that another run creates at the same time. */
const NEW_MS = 60_000

/** Creates the endpoints that are missing, stores their secrets, and prints what was done with each form. */
export async function runEnsure(context: Context, request: EnsureRequest): Promise<void> {
  const client = await context.longClient()
  const { workspace, key } = await client.me()
  if (key.scope === 'read' || workspace.role === 'viewer') throw readOnly(key.scope)
  const workspaceId = String(workspace.id)
  const store = await openSecrets(context, request.store)
  const stored = await store.list(workspaceId)
  const formIds = request.forms === 'all' ? await allForms(client) : [...new Set(request.forms)]
  const progress = new Progress(context, 'forms', formIds.length)
  const done: Ensured[] = []
  let exitCode: number = EXIT.done
  try {
    for (const formId of formIds) {
      const url = request.url.replaceAll('{form}', encodeURIComponent(formId))
      const known = stored.filter((one) => one.form_id === formId)
      const work = { context, client, store, workspaceId, formId, url, known, replaces: request.replaces }
      try {
        done.push(await ensure(work))
      } catch (error) {
        if (!isOfOneForm(error)) throw error
        const failure = toFailure(error)
        const { code, message } = failure
        done.push({
          form_id: formId,
          webhook_id: null,
          url,
          result: 'failed',
          active: null,
          error: { code, message },
        })
        exitCode ||= failure.exitCode
      }
      progress.show(done.length)
    }
  } catch (error) {
    const what = `ensured ${grouped(done.length)} of ${countOf(formIds.length, 'form')} before it failed`
    if (done.length > 0) context.output.announce('incomplete', what)
    throw error
  } finally {
    progress.end()
  }
  await context.output.list(done, COLUMNS)
  const count = (result: Ensured['result']): number => done.filter((one) => one.result === result).length
  const counts = (['created', 'replaced', 'kept', 'failed'] as const).map(
    (result) => `${grouped(count(result))} ${result}`,
  )
  context.output.note(
    `${countOf(done.length, 'form')}: ${counts.join(', ')}`,
    exitCode === 0 ? 'good' : 'bad',
  )
  if (exitCode !== EXIT.done)
    throw new Failure(`${grouped(count('failed'))} of ${countOf(done.length, 'form')} failed`, {
      exitCode,
      code: 'forms_failed',
      hint: 'the others are done; run the command again once the cause is fixed',
    })
}

interface Work {
  context: Context
  client: Formwire
  store: SecretsWriter
  workspaceId: string
  formId: string
  url: string
  /** Secrets of the form that are stored. */
  known: readonly StoredSecret[]
  replaces: boolean
}

async function ensure(work: Work): Promise<Ensured> {
  const { client, store, workspaceId, formId, url, known, replaces } = work
  const { data: endpoints } = await client.webhooks.list(formId)
  await forgetDeleted(work, endpoints)
  const same = endpoints.filter((endpoint) => endpoint.url === url)
  const isKnown = await storedOf(same)
  const kept = same.find(isKnown)
  const unknown = same.filter((endpoint) => !isKnown(endpoint))
  if (!kept && unknown.length > 0 && !replaces) throw secretUnknown(formId, unknown)
  /** By this run. */
  let created: WebhookEndpoint | undefined
  const endpoint = kept ?? (await create())
  // Only now, so that some endpoint receives each response.
  if (replaces) for (const { id } of unknown) await remove(id)
  const replaced = replaces && unknown.length > 0
  return {
    form_id: formId,
    webhook_id: endpoint.id,
    url,
    result: replaced ? 'replaced' : endpoint === created ? 'created' : 'kept',
    active: endpoint.active,
    error: null,
  }

  /** Returns whether a secret is stored. Another run may have stored it since this one read the store, or store it a moment later. */
  async function storedOf(found: readonly WebhookEndpoint[]): Promise<(one: WebhookEndpoint) => boolean> {
    const { clock } = work.context.runtime
    let stored = known
    const isStored = ({ id }: WebhookEndpoint): boolean => stored.some(({ webhook_id }) => webhook_id === id)
    const isOld = (one: WebhookEndpoint): boolean => clock.now() - Date.parse(one.created_at) > NEW_MS
    for (let look = 1; !found.every(isStored); look += 1) {
      stored = await store.list(workspaceId)
      if (look === LOOKS || found.every((one) => isStored(one) || isOld(one))) break
      await clock.sleep(LOOK_MS)
    }
    return isStored
  }

  /** Creates an endpoint, or returns one that another run has created meanwhile. */
  async function create(): Promise<WebhookEndpoint> {
    const { secret, ...own } = await client.webhooks.create(formId, { url })
    work.context.hide(secret)
    const removed_at: string | null = null
    const stored = { workspace_id: workspaceId, form_id: formId, webhook_id: own.id, url, secret, removed_at }
    try {
      await store.save(stored)
    } catch (error) {
      // Nobody could verify what it sends.
      await client.webhooks.delete(formId, own.id).catch(() => undefined)
      throw error
    }
    const older = await findOlder(own)
    if (!older) {
      created = own
      return own
    }
    await remove(own.id)
    await forgetDeleted({ ...work, known: [stored] }, [])
    return older
  }

  /** Of two runs at the same time, the one with the younger endpoint finds the other, whose secret may be stored a moment later. */
  async function findOlder(own: WebhookEndpoint): Promise<WebhookEndpoint | undefined> {
    for (let look = 1; ; look += 1) {
      const { data } = await client.webhooks.list(formId)
      const older = data.filter(
        (one) => one.url === url && one.id < own.id && !same.some(({ id }) => id === one.id),
      )
      if (older.length === 0) return undefined
      const stored = await store.list(workspaceId)
      const found = older.find(({ id }) => stored.some(({ webhook_id }) => webhook_id === id))
      if (found || look === LOOKS) return found
      await work.context.runtime.clock.sleep(LOOK_MS)
    }
  }

  /** Another run may have deleted it. */
  async function remove(id: number): Promise<void> {
    await client.webhooks.delete(formId, id).catch((error: unknown) => {
      if (!isNotFoundError(error)) throw error
    })
  }
}

/** Marks the secrets of endpoints that were deleted, and removes them once no delivery can be signed with them. */
async function forgetDeleted(
  { context, store, known }: Work,
  endpoints: readonly WebhookEndpoint[],
): Promise<void> {
  const now = context.runtime.clock.now()
  for (const one of known) {
    if (endpoints.some(({ id }) => id === one.webhook_id)) continue
    if (one.removed_at === null) await store.save({ ...one, removed_at: new Date(now).toISOString() })
    else if (now - Date.parse(one.removed_at) > OVERLAP_MS) await store.remove(one)
  }
}

async function allForms(client: Formwire): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of client.forms.list({ per_page: 100 })) ids.push(id)
  return ids
}

/** Whether other forms may succeed: an error of the service other than a refused key or a lasting rate limit, or an unknown secret. */
function isOfOneForm(error: unknown): boolean {
  const { status, name, code } = Object(error) as { status?: unknown; name?: string; code?: unknown }
  if (code === 'secret_unknown' || name === 'OutcomeUnknownError') return true
  return typeof status === 'number' && status !== 401 && status !== 429
}

function secretUnknown(formId: string, endpoints: readonly WebhookEndpoint[]): Failure {
  const ids = endpoints.map(({ id }) => id).join(', ')
  return new Failure(
    `the secret of webhook endpoint ${ids} with this URL is not stored; pass --replace to replace it`,
    { exitCode: EXIT.failed, code: 'secret_unknown', hint: `see formwire webhooks list ${formId}` },
  )
}

function readOnly(scope: string): Failure {
  const why = scope === 'read' ? 'the key is read-only' : 'the user of the key is a viewer'
  return new Failure(why, {
    exitCode: EXIT.notAllowed,
    code: 'forbidden',
    hint: 'use a write key of an owner or editor: see formwire whoami',
    isReason: true,
  })
}

const stateOf = ({ active }: Ensured): string => (active === null ? '' : active ? 'active' : 'paused')

const COLUMNS: readonly Column<Ensured>[] = [
  member('form_id', 'Form'),
  { name: 'webhook_id', header: 'Id', align: 'right', text: ({ webhook_id }) => String(webhook_id ?? '') },
  { ...member('url', 'URL'), shrinks: 'apart' },
  member('result', 'Result'),
  { name: 'active', header: 'Status', text: stateOf, pen: (one) => statusPen(stateOf(one)) },
  { name: 'error', header: 'Error', shrinks: true, text: ({ error }) => error?.message ?? '' },
]
