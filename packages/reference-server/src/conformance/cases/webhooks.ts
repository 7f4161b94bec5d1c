import type { CreatedWebhookEndpoint, WebhookEndpoint } from '@formwire/contract'
import { LIMITS } from '@formwire/contract'
import {
  createdWebhookEndpointSchema,
  itemEnvelope,
  listEnvelope,
  webhookEndpointSchema,
} from '@formwire/contract/schemas'
import { Broken, type CaseContext, rule, Skipped } from '../case.ts'
import { check, checkError, checkShape, checkStatus } from '../check.ts'
import type { Seen } from '../probe.ts'

const listSchema = listEnvelope(webhookEndpointSchema)
const createdSchema = itemEnvelope(createdWebhookEndpointSchema)

export async function listEndpoints({ probe, form }: CaseContext): Promise<WebhookEndpoint[]> {
  return checkShape(checkStatus(await probe.ask(`/forms/${form.id}/webhooks`), 200), listSchema).data
}

const create = ({ probe, form }: CaseContext, url: unknown): Promise<Seen> =>
  probe.ask(`/forms/${form.id}/webhooks`, { method: 'POST', body: { url } })

export const remove = ({ probe, form }: CaseContext, id: number): Promise<Seen> =>
  probe.ask(`/forms/${form.id}/webhooks/${id}`, { method: 'DELETE' })

/** Adds endpoints and removes every one of them again, whatever happens. */
export async function withEndpoints(
  context: CaseContext,
  work: (add: (url?: string) => Promise<Seen>) => Promise<void>,
): Promise<void> {
  const before = new Set((await listEndpoints(context)).map((endpoint) => endpoint.id))
  try {
    await work((url = context.options.webhookUrl) => create(context, url))
  } finally {
    for (const { id } of await listEndpoints(context)) if (!before.has(id)) await remove(context, id)
  }
}

/**
 * The endpoint that was added. A form with room that refuses the address says nothing of the rule: a deployment whose
 * DNS does not know the name has to refuse it (HOOK-04), so the case is skipped.
 */
export function created({ options }: CaseContext, seen: Seen): CreatedWebhookEndpoint {
  if (seen.status === 422 && (fieldOf(seen) ?? 'url') === 'url') {
    throw new Skipped(
      `needs a webhook url that this deployment takes, not ${options.webhookUrl}: ${seen.line}`,
    )
  }
  return checkShape(checkStatus(seen, 201), createdSchema).data
}

/** `details.field` of an error; `undefined` where a deployment does not say it. */
const fieldOf = ({ json }: Seen): string | undefined =>
  (json as { error?: { details?: { field?: string } } } | undefined)?.error?.details?.field

/** Addresses that no deployment takes, whatever it is run for. */
const REFUSED = [
  'not an address',
  'ftp://example.com/hook',
  `https://example.com/${'x'.repeat(LIMITS.webhookUrlMaxLength)}`,
  'https://user:secret@example.com/hook',
  'https://example.com:22/hook',
  'https://10.0.0.1/hook',
  'https://192.168.1.1/hook',
  'https://169.254.169.254/latest',
  'https://100.64.0.1/hook',
  'https://0.0.0.0/hook',
  'https://[fe80::1]/hook',
  'https://[fd00::1]/hook',
  'https://[::ffff:10.0.0.1]/hook',
  'https://0x0a000001/hook',
  'https://167772161/hook',
]

/** What production refuses and development takes. */
const REFUSED_IN_PRODUCTION = [
  'http://example.com/hook',
  'https://127.0.0.1/hook',
  'https://localhost/hook',
  'https://[::1]/hook',
]

export const webhookCases = [
  rule('HOOK-01', 'the list shows endpoints without their secret', async (context) => {
    for (const endpoint of await listEndpoints(context)) {
      if ('secret' in endpoint) throw new Broken(`endpoint ${endpoint.id} shows a secret`)
    }
  }),

  rule(
    ['HOOK-02', 'HOOK-03'],
    'an endpoint is created with a secret that is shown once, and can be removed',
    (context) =>
      withEndpoints(context, async (add) => {
        const endpoint = created(context, await add())
        check(endpoint.url === context.options.webhookUrl, 'the answer has another url')
        check(endpoint.active, 'a new endpoint is not active')
        const listed = (await listEndpoints(context)).find(({ id }) => id === endpoint.id)
        check(listed, 'the new endpoint is not in the list')
        check(!('secret' in listed), 'the list shows the secret')
        const removed = await remove(context, endpoint.id)
        check(removed.status === 200 || removed.status === 204, `${removed.line}, expected 200 or 204`)
        checkError(await remove(context, endpoint.id), 'not_found')
      }),
    { writes: true },
  ),

  rule(
    'HOOK-04',
    'addresses that are too long, private, or not plain http(s) are 422 with field url',
    (context) =>
      withEndpoints(context, async (add) => {
        const rules = context.options.addressRules
        const refused = rules === 'production' ? [...REFUSED, ...REFUSED_IN_PRODUCTION] : REFUSED
        for (const url of refused) {
          const seen = await add(url)
          check(seen.status === 422, `${url.slice(0, 60)} gave ${seen.status}, expected 422`)
          checkError(seen, 'validation_failed', 'url')
        }
        checkError(await create(context, 7), 'validation_failed', 'url')
      }),
    { writes: true },
  ),

  rule(
    'HOOK-06',
    'a form takes ten endpoints, not eleven',
    (context) =>
      withEndpoints(context, async (add) => {
        const free = LIMITS.webhooksPerForm - (await listEndpoints(context)).length
        for (let made = 0; made < free; made += 1) created(context, await add())
        const seen = await add()
        check(seen.status === 422 || seen.status === 403, `${seen.line}, expected 422 or 403`)
      }),
    { writes: true },
  ),
]
