import { createHash } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Form } from '@formwire/contract'
import { shellWord } from '@formwire/internal/shell-word'
import { urlOf } from '@formwire/internal/url'
import { acceptedContent, inputRequired } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { type Failure, fileFailure } from '../../failure.ts'
import { countOf } from '../../output/progress.ts'
import { safeJson } from '../../output/text-safety.ts'
import { isMissing } from '../../report.ts'
import { invalidArgument, toolFailure } from '../failures.ts'
import { cutText } from '../result.ts'
import { checkedResponse, endpointRow, formRow, type Service, serviceOf } from '../service/service.ts'
import type { Session, States } from '../session.ts'
import { defineTool, FORM } from '../tool.ts'
import { wordsOf } from '../untrusted.ts'

/** A change of the configured service, with what its action takes. */
export interface Change {
  action: keyof typeof ACTIONS
  form: string
  title: string
  url: string
  secretFile: string
  /** Sorted, each once. */
  ids: number[]
}

/** Responses of one deletion: each costs four requests. */
const MAX_IDS = 20

/** How a user makes a change, what the user is asked, and what it does. */
interface Action {
  /** A form id is any text, and a person may paste the command. */
  command(form: string, change: Change): string
  question(name: string, change: Change, items: string): string
  /** @throws the errors of the client */
  apply(service: Service, change: Change, session: Session): Promise<unknown>
}

const changeOfStatus = (action: 'close' | 'reopen', effect: string): Action => ({
  command: (form) => `formwire forms ${action} ${form}`,
  question: (name) => `${action === 'close' ? 'Close' : 'Reopen'} ${name}. Its public link ${effect}.`,
  apply: async ({ client, options, clean }, { form }) =>
    changed(clean(await client.forms[action](form, options))),
})

const changed = (form: Form) => ({ changed: true, form: formRow(form) })

const deletion = (noun: string, what: string, command: Action['command']): Action => ({
  command,
  question: (name, { ids }, items) =>
    `Delete ${countOf(ids.length, noun)} of ${name}, with ${what}: ${items}. This cannot be undone.`,
  apply: deleteAll,
})

const ACTIONS = {
  close: changeOfStatus('close', 'stops accepting responses'),
  reopen: changeOfStatus('reopen', 'accepts responses again'),
  rename: {
    command: (form) => `formwire forms rename ${form} TITLE`,
    question: (name, { title }) => `Rename ${name} to ${quoted(title)}.`,
    apply: async ({ client, options, clean }, { form, title }) =>
      changed(clean(await client.forms.rename(form, title, options))),
  },
  delete_responses: deletion(
    'response',
    'all answers and files',
    (form, { ids }) => `formwire responses delete ${form} ${ids.join(' ')}`,
  ),
  create_endpoint: {
    command: (form) => `formwire webhooks create ${form} URL`,
    question: (name, { url, secretFile }) =>
      `Send every response to ${name} that is submitted from now on to ${quoted(url)}, and write the secret of the endpoint to the new file ${quoted(secretFile)}.`,
    apply: createEndpoint,
  },
  delete_endpoints: deletion('webhook endpoint', 'delivery logs and pending deliveries', (form, { ids }) =>
    ids.map((id) => `formwire webhooks delete ${form} ${id}`).join(' && '),
  ),
} satisfies Record<string, Action>

const INPUT = z.strictObject({
  action: z.enum(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]),
  form: FORM,
  title: z.string().min(1).max(400).optional().describe('for rename'),
  ids: z.array(z.int().min(1)).min(1).max(MAX_IDS).optional().describe('what to delete'),
  url: z.string().max(500).optional().describe('of the new endpoint'),
  secret_file: z.string().min(1).max(1000).optional().describe("new file for the new endpoint's secret"),
  token: z.string().max(100).optional().describe('of the preview'),
})

const DELETIONS = ['delete_responses', 'delete_endpoints']

/** What the user has to reply. */
const CONFIRMED = z.strictObject({ confirm: z.literal(true) })

export const change = defineTool({
  name: 'change',
  group: 'write',
  description:
    'Change the configured service. The user is asked about every change. A deletion returns a preview with a token first: call again with it.',
  input: INPUT,
  takenBy: {
    title: ['rename'],
    ids: DELETIONS,
    token: DELETIONS,
    url: ['create_endpoint'],
    secret_file: ['create_endpoint'],
  },
  requires: ['title', 'ids', 'url', 'secret_file'],
  async run(session, given, call) {
    const { context, confirmations } = session
    const change = readChange(given)
    const { action, form: id } = change
    // It cannot be undone, and so has a preview.
    const isDeletion = DELETIONS.includes(action)
    const service = await serviceOf(session, call)
    if (!call.canAsk) throw cannotAsk(change)
    const asked = call.mcpReq.requestState()
    if (asked !== undefined) {
      const confirmed = confirmations.redeem(String(asked), given)
      if (!confirmed || !acceptedContent(call.mcpReq.inputResponses, 'change', CONFIRMED))
        throw toolFailure(
          'not_confirmed',
          'the user did not confirm the change; nothing was changed',
          'ask them before you try again',
        )
      if (isDeletion) requireUnchanged(confirmed, await deletedBy(service, change, 'allowed'))
      return await ACTIONS[action].apply(service, change, session)
    }
    const { token } = given
    const previewed = token === undefined ? undefined : confirmations.redeem(token, { preview: change })
    if (token !== undefined && !previewed)
      throw toolFailure(
        'invalid_token',
        'the token is not one of a preview of this deletion; nothing was deleted',
        'a token is valid once, for ten minutes and the same action, form and ids: preview again, without token',
      )
    const form = service.clean(await service.client.forms.get(id, service.options))
    const deleted = isDeletion ? await deletedBy(service, change) : []
    const states = statesOf(deleted)
    if (isDeletion && !previewed) {
      const deletes = deleted.map(({ row }) => row)
      const note = 'nothing was deleted; the token is valid once'
      return { form: formRow(form), deletes, token: confirmations.issue({ preview: change }, states), note }
    }
    requireUnchanged(previewed ?? {}, deleted)
    if (
      (change.action === 'close' && form.status === 'closed') ||
      (change.action === 'reopen' && form.status === 'published')
    )
      return { changed: false, form: formRow(form) }
    const { baseUrl } = context.credentials()
    return inputRequired({
      requestState: confirmations.issue(given, states),
      inputRequests: {
        change: inputRequired.elicit({
          message: questionOf(service.clean(change), form, baseUrl, deleted),
          requestedSchema: {
            type: 'object',
            properties: { confirm: { type: 'boolean', title: 'Make this change', default: false } },
            required: ['confirm'],
          },
        }),
      },
    })
  },
})

/** Returns what is to be changed. @throws Failure `invalid_argument` for a URL that is none */
export function readChange(given: z.output<typeof INPUT>): Change {
  const { action, form, title = '', ids = [], url = '', secret_file: file = '' } = given
  if (action === 'create_endpoint' && !(/^https?:/i.test(url) && urlOf(url) !== undefined))
    throw invalidArgument('url', 'it must be an http or https URL')
  return {
    action,
    form,
    title,
    // As the service reads it, which shows the user a disguised host.
    url: url && new URL(url).href,
    secretFile: resolve(file),
    ids: [...new Set(ids)].sort((one, two) => one - two),
  }
}

/** Returns the failure of a client that cannot ask its user, with the command that the user can run instead. */
function cannotAsk(change: Change): Failure {
  const command = ACTIONS[change.action].command(shellWord(change.form), change)
  return toolFailure(
    'cannot_ask',
    'this client cannot ask its user, and every change needs their confirmation',
    `the client has no elicitation; the user can run: ${command}`,
  )
}

/** A row of a response or of an endpoint. */
type Row = Partial<Record<'id' | 'url' | 'active' | 'status' | 'submitted_at', unknown>>

/** What would be deleted, without texts of respondents, and a digest of its state, which is long, and secret. */
interface Deleted {
  row: Row
  state: string
}

const deletedOf = (row: Row, ...state: readonly unknown[]): Deleted => ({
  row,
  state: createHash('sha256').update(JSON.stringify(state)).digest('base64'),
})

const statesOf = (deleted: readonly Deleted[]): States =>
  Object.fromEntries(deleted.map(({ row: { id }, state }) => [id, state]))

/** Returns what a deletion would delete. @throws Failure `not_found` unless `isGone` allows that some of it is gone */
async function deletedBy(
  { client, options, clean }: Service,
  { action, form, ids }: Change,
  isGone: 'allowed' | 'refused' = 'refused',
): Promise<Deleted[]> {
  if (action === 'delete_responses') {
    const found: Deleted[] = []
    for (const id of ids)
      try {
        const response = checkedResponse(await client.responses.get(form, id, options))
        const { status, started_at, submitted_at, answers } = response
        const row = { ...wordsOf(response, 'id', 'status', 'submitted_at'), answers: answers.length }
        found.push(deletedOf(row, status, started_at, submitted_at, answers))
      } catch (error) {
        if (isGone === 'refused' || !isMissing(error)) throw error
      }
    return found
  }
  const { data } = await client.webhooks.list(form, options)
  const found = data.filter(({ id }) => ids.includes(id))
  const missing = ids.filter((id) => !found.some((endpoint) => endpoint.id === id))
  if (missing.length > 0 && isGone === 'refused') {
    const message = `webhook endpoint ${missing.join(', ')} of form ${form} not found`
    throw toolFailure('not_found', message, 'the tool forms lists the endpoints of a form')
  }
  return found.map((endpoint) => deletedOf(endpointRow(clean(endpoint)), endpoint.url, endpoint.active))
}

/** @throws Failure `invalid_token` if what the user or the agent saw has changed since. What is gone has not. */
function requireUnchanged(seen: States, now: readonly Deleted[]): void {
  const changed = now
    .filter(({ row: { id }, state }) => state !== seen[String(id)])
    .map(({ row: { id } }) => Number(id))
  if (changed.length === 0) return
  const message = `${changed.join(', ')} changed since the preview; nothing was deleted`
  throw toolFailure('invalid_token', message, 'preview again, without token', { details: { changed } })
}

/** Returns the question to the user: what would change, where, and that it cannot be undone. */
function questionOf(
  change: Change,
  { title, id }: Form,
  baseUrl: string,
  deleted: readonly Deleted[],
): string {
  const name = `form ${quoted(title)} (${quoted(id)}) of ${baseUrl}`
  const items = deleted.map(({ row: { id: item, url, active, status, submitted_at } }) => {
    const state = url === undefined ? [status, submitted_at] : [url, active ? 'active' : 'paused']
    const shown = state.filter((part) => part !== null).map(quoted)
    return `${item} (${shown.join(', ')})`
  })
  return `${ACTIONS[change.action].question(name, change, items.join(', '))} Do you want this?`
}

/** Characters of a text in a question. */
const TEXT_MAX_CHARACTERS = 200

/** A text as JSON shows where it ends, and characters that cannot be seen. */
const quoted = (text: unknown): string =>
  safeJson(typeof text === 'string' ? cutText(text, TEXT_MAX_CHARACTERS) : text)

/**
 * Creates an endpoint and saves its secret, which the service shows once, in a new file that only its owner can read. The file is
 * opened first: if it cannot be, nothing is created.
 */
export async function createEndpoint(
  { client, options: { signal, ...limits }, clean }: Service,
  { form, url, secretFile }: Change,
  { context }: Session,
) {
  signal.throwIfAborted()
  // A new file: nothing is overwritten, and no link is followed.
  const file = await open(secretFile, 'wx', 0o600).catch((error: unknown) => {
    throw fileFailure(`write ${secretFile}`, error, 'nothing was created; give another secret_file')
  })
  try {
    // Without the signal of the call: the secret of an endpoint that was created would be lost.
    const { secret, ...endpoint } = await client.webhooks.create(form, { url }, limits)
    context.hide(secret)
    await file.writeFile(secret).catch((cause: unknown) => {
      const message = `created webhook endpoint ${endpoint.id}, but could not save its secret`
      const hint = 'rotate its secret in the app, which shows the new one'
      throw toolFailure('secret_not_saved', message, hint, { cause })
    })
    return { changed: true, endpoint: endpointRow(clean(endpoint)), secret_file: secretFile }
  } catch (error) {
    await unlink(secretFile).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
}

async function deleteAll({ client, options }: Service, { action, form, ids }: Change) {
  const resource = action === 'delete_responses' ? client.responses : client.webhooks
  const deleted: number[] = []
  const missing: number[] = []
  try {
    for (const id of ids) {
      try {
        await resource.delete(form, id, options)
        deleted.push(id)
      } catch (error) {
        // Somebody else has deleted it since the preview.
        if (!isMissing(error)) throw error
        missing.push(id)
      }
    }
  } catch (cause) {
    if (deleted.length === 0) throw cause
    const message = `deleted ${deleted.length} of ${countOf(ids.length, 'item')} before it failed`
    const facts = { details: { deleted, missing }, cause }
    throw toolFailure('incomplete', message, 'preview the others again', facts)
  }
  return { changed: deleted.length > 0, deleted, missing }
}
