import type { Form, FormResponse } from '@formwire/contract'
import { formSchema, meSchema } from '@formwire/contract/schemas'
import { Broken, type CaseContext, type Observation, Skipped } from './case.ts'
import { isPast } from './cases/form-changes.ts'
import { created, listEndpoints, remove, withEndpoints } from './cases/webhooks.ts'
import { checkFormPage, checkItem, checkResponsePage, checkStatus } from './check.ts'
import type { Seen } from './probe.ts'

/** The value that an answer's status stands for. */
function byStatus(seen: Seen, values: Readonly<Record<number, string>>): string {
  const value = values[seen.status]
  if (value === undefined) throw new Broken(`${seen.line}, expected ${Object.keys(values).join(' or ')}`)
  return value
}

const observe = (
  key: Observation['key'],
  rules: string,
  title: string,
  run: Observation['run'],
  needs: Pick<Observation, 'writes' | 'exhausts'> = {},
): Observation => ({ key, rules: [rules], title, run, ...needs })

/** For behaviours that no client can bring about through the public API. */
const unseen = (key: Observation['key'], rules: string, title: string, reason: string): Observation =>
  observe(key, rules, title, async () => {
    throw new Skipped(reason)
  })

async function firstForm({ probe }: CaseContext, statuses: readonly string[]): Promise<Form> {
  for (const status of statuses) {
    const [form] = checkFormPage(await probe.ask(`/forms?status=${status}&per_page=1`)).data
    if (form) return form
  }
  throw new Skipped(`needs a form that is ${statuses.join(' or ')}`)
}

/** Every behaviour of `UNSPECIFIED`, in its order. */
export const observations: readonly Observation[] = [
  observe(
    'webhookDelete',
    'HOOK-03',
    'success of removing an endpoint',
    async (context) => {
      let value = ''
      await withEndpoints(context, async (add) => {
        const { id } = created(context, await add())
        value = byStatus(await remove(context, id), { 200: '200', 204: '204' })
      })
      return value
    },
    { writes: true },
  ),

  observe(
    'patchWithoutField',
    'FORM-11',
    'a PATCH without a known field',
    async ({ probe, form }) =>
      byStatus(await probe.ask(`/forms/${form.id}`, { method: 'PATCH', body: {} }), {
        422: '422',
        400: '400',
      }),
    { writes: true },
  ),

  observe(
    'statusOfUnpublished',
    'FORM-06',
    'a status for a form that is not published',
    async (context) => {
      const draft = await firstForm(context, ['draft', 'archived'])
      const seen = await context.probe.ask(`/forms/${draft.id}`, {
        method: 'PATCH',
        body: { status: 'closed' },
      })
      return byStatus(seen, { 422: '422', 400: '400', 403: '403', 409: '409' })
    },
    { writes: true },
  ),

  observe('publishedWhenClosed', 'FORM-06', 'published of a closed form', async (context) =>
    String((await firstForm(context, ['closed'])).published),
  ),

  observe(
    'reopen',
    'FORM-08',
    'reopening a form whose end date is past',
    async ({ probe, form, options }) => {
      if (!options.expendableForm || form.status !== 'published' || form.closes_at === null) {
        throw new Skipped('needs a published form that is past its end date and may be left closed')
      }
      const path = `/forms/${form.id}`
      const closed = checkItem(
        await probe.ask(path, { method: 'PATCH', body: { status: 'closed' } }),
        formSchema,
      ) as Form
      const reopened = await probe.ask(path, { method: 'PATCH', body: { status: 'published' } })
      if (!isPast(closed.closes_at, closed))
        throw new Skipped('needs a published form that is past its end date')
      return byStatus(reopened, { 200: 'always', 422: 'refusedPastEnd' })
    },
    { writes: true },
  ),

  unseen(
    'touchOnResponse',
    'FORM-10',
    'whether a response moves updated_at',
    'needs a response submitted meanwhile',
  ),
  unseen(
    'trashedById',
    'FORM-03',
    'reading a trashed form',
    'needs the app: the API never names a trashed form',
  ),

  observe('pagePastEnd', 'ENV-06', 'a page past the end', async ({ probe }) =>
    byStatus(await probe.ask('/forms?page=1000000'), { 200: 'empty', 422: '422' }),
  ),

  observe('unknownParameters', 'ENV-09', 'an unknown query parameter', async ({ probe }) =>
    byStatus(await probe.ask('/forms?per_page=1&conformance_unknown=1'), { 200: 'ignored', 422: '422' }),
  ),

  observe(
    'eleventhEndpoint',
    'HOOK-06',
    'one endpoint more than ten',
    async (context) => {
      let value = ''
      await withEndpoints(context, async (add) => {
        for (let made = (await listEndpoints(context)).length; made < 10; made += 1)
          created(context, await add())
        value = byStatus(await add(), { 422: '422', 403: '403' })
      })
      return value
    },
    { writes: true },
  ),

  observe(
    'webhookListExtras',
    'HOOK-01',
    'fields in the endpoint list beyond the documented ones',
    async (context) => {
      const [endpoint] = await listEndpoints(context)
      if (!endpoint) throw new Skipped('needs a form with an endpoint')
      return String(
        Object.keys(endpoint).some((name) => !['id', 'url', 'active', 'created_at'].includes(name)),
      )
    },
  ),

  observe(
    'unresolvableHost',
    'HOOK-04',
    'an address whose host does not resolve',
    async (context) => {
      let value = ''
      await withEndpoints(context, async (add) => {
        value = byStatus(await add('https://no-such-host.invalid/hook'), { 422: '422', 201: 'accepted' })
      })
      return value
    },
    { writes: true },
  ),

  unseen(
    'noPlanAccess',
    'AUTH-11',
    'a plan without API access',
    'needs a key of a workspace whose plan has none',
  ),
  unseen('rateWindow', 'RATE-03', 'shape of the rate window', 'needs minutes of waiting at the limit'),

  observe(
    'validKeyFromBlockedAddress',
    'RATE-02',
    'a valid key from an address with too many failures',
    async ({ probe }) => {
      let blocked = false
      for (let sent = 0; sent < 40 && !blocked; sent += 1) {
        blocked =
          (await probe.askOnce('/me', { authorization: 'Bearer svc_0000000000000000' })).status === 429
      }
      if (!blocked) throw new Broken('40 failed authentications in a row were all answered 401')
      return byStatus(await probe.askOnce('/me'), { 200: 'served', 429: '429' })
    },
    { exhausts: true },
  ),

  unseen(
    'deletedResponseDeliveries',
    'DLV-06',
    'waiting deliveries of a deleted response',
    'needs the delivery log, which the API does not show',
  ),

  observe('draftSubmittedAt', 'RESP-05', 'submitted_at of a draft', async ({ probe, form }) => {
    const path = `/forms/${form.id}/responses?status=in_progress&per_page=1`
    const [draft] = checkResponsePage(await probe.ask(path)).data as FormResponse[]
    if (!draft) throw new Skipped('needs a form with a saved draft')
    return draft.submitted_at === null ? 'null' : 'lastSaved'
  }),

  observe('timestamps', 'ENV-05', 'how timestamps are written', async ({ probe, form }) => {
    const { updated_at: timestamp } = checkItem(await probe.ask(`/forms/${form.id}`), formSchema)
    if (!timestamp.endsWith('Z')) return 'offset'
    const digits = /\.(\d+)Z$/.exec(timestamp)?.[1]?.length ?? 0
    return digits === 0 ? 'seconds' : digits <= 3 ? 'milliseconds' : 'microseconds'
  }),

  observe('extraFields', 'ENV-04', 'fields beyond the documented ones', async ({ probe, form }) => {
    const me = checkItem(await probe.ask('/me'), meSchema)
    const one = checkItem(await probe.ask(`/forms/${form.id}`), formSchema)
    const more = (value: object, documented: readonly string[]): boolean =>
      Object.keys(value).some((name) => !documented.includes(name))
    return String(more(me, ['user', 'workspace', 'key']) || more(one, Object.keys(formSchema.shape)))
  }),

  observe('errorDetails', 'ERR-03', 'members of error.details', async ({ probe }) => {
    const seen = checkStatus(await probe.ask('/forms?per_page=0'), 422)
    const details = (seen.json as { error?: { details?: object } } | undefined)?.error?.details
    if (details === undefined) return 'none'
    return Object.keys(details).some((name) => name !== 'field') ? 'extra' : 'field'
  }),

  observe('requestIdHeader', 'ERR-04', 'whether answers carry X-Request-Id', async ({ probe }) =>
    String((await probe.ask('/me')).headers.has('x-request-id')),
  ),

  observe('compression', 'ENV-07', 'compression for a client that takes gzip', async ({ probe, form }) => {
    const seen = await probe.ask(`/forms/${form.id}/responses?per_page=100`, {
      headers: { 'accept-encoding': 'gzip' },
    })
    return seen.headers.get('content-encoding') === 'gzip' ? 'gzip' : 'none'
  }),
]
