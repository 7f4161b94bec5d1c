import type { CreatedWebhookEndpoint, WebhookEndpoint } from '@formwire/contract'
import { LIMITS } from '@formwire/contract'
import {
  createdWebhookEndpointSchema,
  deletedSchema,
  itemEnvelope,
  listEnvelope,
  webhookEndpointSchema,
} from '@formwire/contract/schemas'
import { type CaseContext, CaseSkipped, RuleViolation, rule, writingRule } from '../case.ts'
import { check, checkError, checkItem, checkShape, checkStatus } from '../check.ts'
import type { Reply } from '../probe.ts'

const listSchema = listEnvelope(webhookEndpointSchema)
const createdSchema = itemEnvelope(createdWebhookEndpointSchema)

export async function listEndpoints({ probe, form }: CaseContext): Promise<WebhookEndpoint[]> {
  return checkShape(checkStatus(await probe.send(`/forms/${form.id}/webhooks`), 200), listSchema).data
}

const create = ({ probe, form }: CaseContext, url: unknown): Promise<Reply> =>
  probe.send(`/forms/${form.id}/webhooks`, { method: 'POST', body: { url } })

export const remove = ({ probe, form }: CaseContext, id: number): Promise<Reply> =>
  probe.send(`/forms/${form.id}/webhooks/${id}`, { method: 'DELETE' })

/** Runs `work` with a function that adds endpoints, then removes them, also after a failure. */
export async function withEndpoints<Result>(
  context: CaseContext,
  work: (add: (url?: string) => Promise<Reply>) => Promise<Result>,
): Promise<Result> {
  const before = new Set((await listEndpoints(context)).map((endpoint) => endpoint.id))
  try {
    return await work((url = context.options.webhookUrl) => create(context, url))
  } finally {
    for (const { id } of await listEndpoints(context)) if (!before.has(id)) await remove(context, id)
  }
}

/**
 * Returns the added endpoint. Skips the case if the deployment refuses the URL: it must do so when its DNS cannot
 * resolve the host (HOOK-04), which proves nothing about other rules.
 */
export function created({ options }: CaseContext, reply: Reply): CreatedWebhookEndpoint {
  if (reply.status === 422 && (fieldOf(reply) ?? 'url') === 'url') {
    throw new CaseSkipped(
      `needs a webhook URL that this deployment accepts, not ${options.webhookUrl}: ${reply.line}`,
    )
  }
  return checkShape(checkStatus(reply, 201), createdSchema).data
}

/** `details.field` of an error; `undefined` if the deployment leaves it out. */
const fieldOf = ({ json }: Reply): string | undefined =>
  (json as { error?: { details?: { field?: string } } } | undefined)?.error?.details?.field

/** URLs that every deployment must reject. */
const REFUSED = [
  'not a url',
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

/** URLs that are rejected in production and accepted in development. */
const REFUSED_IN_PRODUCTION = [
  'http://example.com/hook',
  'https://127.0.0.1/hook',
  'https://localhost/hook',
  'https://[::1]/hook',
]

export const webhookCases = [
  rule('ENV-06', 'pages the list of endpoints', async ({ probe, form }) => {
    const path = `/forms/${form.id}/webhooks`
    const { meta } = checkShape(checkStatus(await probe.send(`${path}?per_page=7`), 200), listSchema)
    check(meta.per_page === 7, `per_page is ${meta.per_page}, expected 7`)
    checkError(await probe.send(`${path}?page=0`), 'validation_failed', 'page')
    checkError(await probe.send(`${path}?per_page=101`), 'validation_failed', 'per_page')
  }),

  rule('HOOK-01', 'lists endpoints without their secret', async (context) => {
    for (const endpoint of await listEndpoints(context)) {
      if ('secret' in endpoint) throw new RuleViolation(`endpoint ${endpoint.id} shows a secret`)
    }
  }),

  writingRule(
    ['HOOK-02', 'HOOK-03'],
    'creates an endpoint with a secret that is shown once, and deletes it',
    (context) =>
      withEndpoints(context, async (add) => {
        const endpoint = created(context, await add())
        check(endpoint.url === context.options.webhookUrl, 'the response has a different url')
        check(endpoint.active, 'a new endpoint is not active')
        const listed = (await listEndpoints(context)).find(({ id }) => id === endpoint.id)
        check(listed, 'the new endpoint is not in the list')
        check(!('secret' in listed), 'the list shows the secret')
        const removed = await remove(context, endpoint.id)
        if (removed.status !== 204) {
          check(checkItem(removed, deletedSchema).id === endpoint.id, 'the response has a different id')
        }
        check(
          (await listEndpoints(context)).every(({ id }) => id !== endpoint.id),
          'the deleted endpoint is still listed',
        )
        checkError(await remove(context, endpoint.id), 'not_found')
      }),
  ),

  writingRule(
    'HOOK-04',
    'rejects a URL that is too long, private, or not plain http(s) with 422 and field url',
    (context) =>
      withEndpoints(context, async (add) => {
        const rules = context.options.addressRules
        const refused = rules === 'production' ? [...REFUSED, ...REFUSED_IN_PRODUCTION] : REFUSED
        for (const url of refused) {
          const reply = await add(url)
          check(reply.status === 422, `${url.slice(0, 60)} returned ${reply.status}, expected 422`)
          checkError(reply, 'validation_failed', 'url')
        }
        checkError(await create(context, 7), 'validation_failed', 'url')
      }),
  ),

  writingRule('HOOK-06', 'rejects the eleventh endpoint of a form; deleting one makes room', (context) =>
    withEndpoints(context, async (add) => {
      const free = LIMITS.webhooksPerForm - (await listEndpoints(context)).length
      const added: CreatedWebhookEndpoint[] = []
      for (let i = 0; i < free; i += 1) added.push(created(context, await add()))
      const eleventh = await add()
      check(eleventh.status === 422 || eleventh.status === 403, `${eleventh.line}, expected 422 or 403`)
      const [first] = added
      if (!first) return
      await remove(context, first.id)
      created(context, await add())
    }),
  ),
]
