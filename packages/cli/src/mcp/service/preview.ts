import type { Form, FormResponse, WebhookEndpoint } from '@formwire/contract'
import { EXIT } from '../../exit.ts'
import { Failure } from '../../failure.ts'
import { countOf } from '../../output/progress.ts'
import { safeJson } from '../../output/text-safety.ts'
import { cutText } from '../result.ts'
import { wordOf } from '../untrusted.ts'
import type { Change, Deletion } from './change.ts'
import { endpointRow, type Service } from './service.ts'

/** Characters of a text in a question. */
const TEXT_MAX_CHARACTERS = 200

/** Returns what a deletion would delete, without texts of respondents. @throws Failure `not_found` */
export async function deletedBy(service: Service, { action, form, ids }: Deletion) {
  if (action === 'delete_endpoints')
    return service.clean(await endpointsOf(service, form, ids)).map(endpointRow)
  return (await responsesOf(service, form, ids)).map(({ id, status, submitted_at, answers }) => ({
    id: wordOf(id),
    status: wordOf(status),
    submitted_at: wordOf(submitted_at),
    answers: answers.length,
  }))
}

type Deleted = Awaited<ReturnType<typeof deletedBy>>[number]

async function responsesOf({ client, options }: Service, form: string, ids: readonly number[]) {
  const found: FormResponse[] = []
  for (const id of ids) found.push(await client.responses.get(form, id, options))
  return found
}

async function endpointsOf({ client, options }: Service, form: string, ids: readonly number[]) {
  const { data } = await client.webhooks.list(form, options)
  const found = data.filter(({ id }) => ids.includes(id))
  const missing = ids.filter((id) => !found.some((endpoint) => endpoint.id === id))
  if (missing.length > 0)
    throw new Failure(`webhook endpoint ${missing.join(', ')} of form ${form} not found`, {
      exitCode: EXIT.notFound,
      code: 'not_found',
      hint: 'the tool forms lists the endpoints of a form',
    })
  return found as WebhookEndpoint[]
}

/** Returns the question to the user: what would change, where, and that it cannot be undone. */
export function questionOf(
  change: Change,
  { title, id }: Form,
  baseUrl: string,
  deleted: readonly Deleted[],
): string {
  const name = `form ${quoted(title)} (${quoted(id)}) of ${baseUrl}`
  return `${sentenceOf(change, name, deleted.map(described).join(', '))} Do you want this?`
}

function sentenceOf(change: Change, name: string, items: string): string {
  switch (change.action) {
    case 'close':
      return `Close ${name}. Its public link stops accepting responses.`
    case 'reopen':
      return `Reopen ${name}. Its public link accepts responses again.`
    case 'rename':
      return `Rename ${name} to ${quoted(change.title)}.`
    case 'create_endpoint':
      return `Send every response to ${name} that is submitted from now on to ${quoted(change.url)}, and write the secret of the endpoint to the new file ${quoted(change.secretFile)}.`
    case 'delete_responses':
      return `Delete ${countOf(change.ids.length, 'response')} of ${name}, with all answers and files: ${items}. This cannot be undone.`
    case 'delete_endpoints':
      return `Delete ${countOf(change.ids.length, 'webhook endpoint')} of ${name}, with delivery logs and pending deliveries: ${items}. This cannot be undone.`
  }
}

const described = (item: Deleted): string =>
  'url' in item
    ? `${item.id} (${quoted(item.url)})`
    : `${item.id} (${quoted(item.submitted_at ?? item.status)})`

/** A text as JSON shows where it ends, and characters that cannot be seen. */
const quoted = (text: unknown): string =>
  safeJson(typeof text === 'string' ? cutText(text, TEXT_MAX_CHARACTERS) : text)
