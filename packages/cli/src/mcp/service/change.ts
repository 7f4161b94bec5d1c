import { createHash } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Form, FormResponse } from '@formwire/contract'
import { shellWord } from '@formwire/internal/shell-word'
import { urlOf } from '@formwire/internal/url'
import { EXIT } from '../../exit.ts'
import { Failure, fileFailure } from '../../failure.ts'
import { countOf } from '../../output/progress.ts'
import { safeJson } from '../../output/text-safety.ts'
import { isMissing } from '../../report.ts'
import { cutText, invalidArgument } from '../result.ts'
import type { Session, States } from '../session.ts'
import { wordOf } from '../untrusted.ts'
import { checkedResponse, endpointRow, formRow, type Service } from './service.ts'

/** Arguments of the tool `change`. */
export interface ChangeArguments {
  action: keyof typeof ACTIONS
  form: string
  title?: string | undefined
  ids?: number[] | undefined
  url?: string | undefined
  secret_file?: string | undefined
  token?: string | undefined
}

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

type Name = keyof ChangeArguments

/** What an action takes besides `form`, how a user makes it, what the user is asked, and what it does. */
interface Action {
  takes: readonly Name[]
  /** A form id is any text, and a person may paste the command. */
  command(form: string, change: Change): string
  question(name: string, change: Change, items: string): string
  /** @throws the errors of the client */
  apply(service: Service, change: Change, session: Session): Promise<unknown>
}

const changeOfStatus = (action: 'close' | 'reopen', effect: string): Action => ({
  takes: [],
  command: (form) => `formwire forms ${action} ${form}`,
  question: (name) => `${action === 'close' ? 'Close' : 'Reopen'} ${name}. Its public link ${effect}.`,
  apply: async ({ client, options, clean }, { form }) =>
    changed(clean(await client.forms[action](form, options))),
})

const changed = (form: Form) => ({ changed: true, form: formRow(form) })

const deletion = (noun: string, what: string, command: Action['command']): Action => ({
  takes: ['ids', 'token'],
  command,
  question: (name, { ids }, items) =>
    `Delete ${countOf(ids.length, noun)} of ${name}, with ${what}: ${items}. This cannot be undone.`,
  apply: deleteAll,
})

const ACTIONS = {
  close: changeOfStatus('close', 'stops accepting responses'),
  reopen: changeOfStatus('reopen', 'accepts responses again'),
  rename: {
    takes: ['title'],
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
    takes: ['url', 'secret_file'],
    command: (form) => `formwire webhooks create ${form} URL`,
    question: (name, { url, secretFile }) =>
      `Send every response to ${name} that is submitted from now on to ${quoted(url)}, and write the secret of the endpoint to the new file ${quoted(secretFile)}.`,
    apply: createEndpoint,
  },
  delete_endpoints: deletion('webhook endpoint', 'delivery logs and pending deliveries', (form, { ids }) =>
    ids.map((id) => `formwire webhooks delete ${form} ${id}`).join(' && '),
  ),
} satisfies Record<string, Action>

/** Actions of the tool `change`. */
export const CHANGES = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]

/** Whether a change cannot be undone, and so has a preview. */
export const isDeletion = ({ action }: Change): boolean => action.startsWith('delete_')

/** Checks the arguments of an action. @throws Failure `invalid_argument` */
export function readChange(given: ChangeArguments): Change {
  const { action, form, title = '', ids = [], url = '', secret_file: file = '' } = given
  const takes: readonly Name[] = ACTIONS[action].takes
  for (const name of Object.keys(given) as Name[]) {
    if (name !== 'action' && name !== 'form' && !takes.includes(name))
      throw invalidArgument(name, `${action} does not take it`)
  }
  for (const name of takes)
    if (name !== 'token' && given[name] === undefined) throw invalidArgument(name, `${action} requires it`)
  if (takes.includes('url') && !(/^https?:/i.test(url) && urlOf(url) !== undefined))
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
export function cannotAsk(change: Change): Failure {
  return new Failure('this client cannot ask its user, and every change needs their confirmation', {
    exitCode: EXIT.failed,
    code: 'cannot_ask',
    hint: `the client has no elicitation; the user can run: ${ACTIONS[change.action].command(shellWord(change.form), change)}`,
  })
}

/** What a deletion would delete, without texts of respondents, and the state of each. */
export interface Deleted {
  rows: Row[]
  states: States
}

/** Returns what a deletion would delete. @throws Failure `not_found` unless `isGone` allows that some of it is gone */
export async function deletedBy(
  { client, options, clean }: Service,
  { action, form, ids }: Change,
  isGone: 'allowed' | 'refused' = 'refused',
): Promise<Deleted> {
  if (action === 'delete_responses') {
    const found: FormResponse[] = []
    for (const id of ids)
      try {
        found.push(checkedResponse(await client.responses.get(form, id, options)))
      } catch (error) {
        if (isGone === 'refused' || !isMissing(error)) throw error
      }
    return {
      rows: found.map(({ id, status, submitted_at, answers }) => ({
        id: wordOf(id),
        status: wordOf(status),
        submitted_at: wordOf(submitted_at),
        answers: answers.length,
      })),
      states: statesOf(found, ({ status, started_at, submitted_at, answers }) => [
        status,
        started_at,
        submitted_at,
        answers,
      ]),
    }
  }
  const { data } = await client.webhooks.list(form, options)
  const found = data.filter(({ id }) => ids.includes(id))
  const missing = ids.filter((id) => !found.some((endpoint) => endpoint.id === id))
  if (missing.length > 0 && isGone === 'refused')
    throw new Failure(`webhook endpoint ${missing.join(', ')} of form ${form} not found`, {
      exitCode: EXIT.notFound,
      code: 'not_found',
      hint: 'the tool forms lists the endpoints of a form',
    })
  return {
    rows: clean(found).map(endpointRow),
    states: statesOf(found, ({ url, active }) => [url, active]),
  }
}

/** Digests, since answers are long, and secret. */
const statesOf = <Item extends { id: number }>(items: readonly Item[], stateOf: (item: Item) => unknown) =>
  Object.fromEntries(
    items.map((item) => [
      item.id,
      createHash('sha256')
        .update(JSON.stringify(stateOf(item)))
        .digest('base64'),
    ]),
  )

/** @throws Failure `invalid_token` if what the user or the agent saw has changed since. What is gone has not. */
export function requireUnchanged(seen: States, now: States): void {
  const changed = Object.keys(now).filter((id) => now[id] !== seen[id])
  if (changed.length > 0)
    throw new Failure(`${changed.join(', ')} changed since the preview; nothing was deleted`, {
      exitCode: EXIT.failed,
      code: 'invalid_token',
      hint: 'preview again, without token',
      details: { changed: changed.map(Number) },
    })
}

/** A row of a response or of an endpoint. */
type Row = Partial<Record<'id' | 'url' | 'active' | 'status' | 'submitted_at', unknown>>

/** Returns the question to the user: what would change, where, and that it cannot be undone. */
export function questionOf(change: Change, { title, id }: Form, baseUrl: string, { rows }: Deleted): string {
  const name = `form ${quoted(title)} (${quoted(id)}) of ${baseUrl}`
  const items = rows.map(({ id: item, url, active, status, submitted_at }: Row) => {
    const state = url === undefined ? [status, submitted_at] : [url, active ? 'active' : 'paused']
    return `${item} (${state
      .filter((part) => part !== null)
      .map(quoted)
      .join(', ')})`
  })
  return `${ACTIONS[change.action].question(name, change, items.join(', '))} Do you want this?`
}

/** Characters of a text in a question. */
const TEXT_MAX_CHARACTERS = 200

/** A text as JSON shows where it ends, and characters that cannot be seen. */
const quoted = (text: unknown): string =>
  safeJson(typeof text === 'string' ? cutText(text, TEXT_MAX_CHARACTERS) : text)

/** Makes a change that the user has confirmed. @throws the errors of the client */
export async function applyChange(session: Session, service: Service, change: Change): Promise<unknown> {
  return await ACTIONS[change.action].apply(service, change, session)
}

/**
 * Creates an endpoint and saves its secret, which the service shows once, in a new file that only its owner can read. The file is
 * opened first: if it cannot be, nothing is created.
 */
async function createEndpoint(
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
    await file.writeFile(secret).catch((error: unknown) => {
      throw new Failure(`created webhook endpoint ${endpoint.id}, but could not save its secret`, {
        exitCode: EXIT.failed,
        code: 'secret_not_saved',
        hint: 'rotate its secret in the app, which shows the new one',
        cause: error,
      })
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
  } catch (error) {
    if (deleted.length === 0) throw error
    throw new Failure(`deleted ${deleted.length} of ${countOf(ids.length, 'item')} before it failed`, {
      exitCode: EXIT.failed,
      code: 'incomplete',
      hint: 'preview the others again',
      details: { deleted, missing },
      cause: error,
    })
  }
  return { changed: deleted.length > 0, deleted, missing }
}
