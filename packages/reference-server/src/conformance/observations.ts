import { type Answer, type Form, LIMITS, QUESTION_TYPES } from '@formwire/contract'
import { formSchema, meSchema } from '@formwire/contract/schemas'
import { isObjectOrArray } from '@formwire/internal/json'
import { UNSPECIFIED, type UnspecifiedKey } from '../unspecified.ts'
import { type CaseContext, CaseSkipped, type Observation, RuleViolation } from './case.ts'
import { isPast, patch } from './cases/form-changes.ts'
import { listResponses } from './cases/responses.ts'
import { created, listEndpoints, remove, withEndpoints } from './cases/webhooks.ts'
import { checkFormPage, checkItem, checkStatus } from './check.ts'
import type { Reply } from './probe.ts'

/** Returns the value that a status represents. */
function byStatus(reply: Reply, values: Readonly<Record<number, string>>): string {
  const value = values[reply.status]
  if (value === undefined)
    throw new RuleViolation(`${reply.line}, expected ${Object.keys(values).join(' or ')}`)
  return value
}

type Seen = Omit<Observation, 'key'>

const observe = (rule: string, title: string, run: Seen['run']): Seen => ({ rules: [rule], title, run })

const observeWriting = (...args: Parameters<typeof observe>): Seen => ({ ...observe(...args), writes: true })

async function firstForm({ probe }: CaseContext, statuses: readonly string[]): Promise<Form> {
  for (const status of statuses) {
    const [form] = checkFormPage(await probe.send(`/forms?status=${status}&per_page=1`)).data
    if (form) return form
  }
  throw new CaseSkipped(`needs a form that is ${statuses.join(' or ')}`)
}

const newestAnswers = async (context: CaseContext): Promise<Answer[]> =>
  (await listResponses(context, { per_page: 100 })).data.flatMap(({ answers }) => answers)

/**
 * Returns the default text of an answer whose text is unspecified, otherwise `undefined`. Decides by the value, because
 * type names are unspecified too.
 */
function defaultText({ value }: Answer): string | undefined {
  if (typeof value === 'number') return String(value)
  if (!isObjectOrArray(value)) return undefined
  const parts = Array.isArray(value)
    ? value.map((file: { name?: string }) => file.name)
    : 'line1' in value &&
      ['line1', 'line2', 'city', 'region', 'postal', 'country'].map((name) => (value as never)[name])
  return parts ? parts.filter(Boolean).join(', ') : undefined
}

/** Behaviours that cannot be observed through the public API: their rule, their title, and what they need. */
const UNOBSERVABLE = {
  touchOnResponse: ['FORM-10', 'whether a response moves updated_at', 'needs a response submitted meanwhile'],
  trashedById: ['FORM-03', 'reading a trashed form', 'needs the web app: the API never shows a trashed form'],
  noPlanAccess: ['AUTH-11', 'a plan without API access', 'needs a key of a workspace without API access'],
  rateWindow: ['RATE-03', 'sliding or fixed rate window', 'needs several minutes at the limit'],
  deletedResponseDeliveries: [
    'DLV-06',
    'pending deliveries of a deleted response',
    'needs the delivery log, which the API does not show',
  ],
  draftDeletion: [
    'FORM-12',
    'whether deleting a draft lowers the count',
    'needs a draft that may be permanently deleted',
  ],
  submittedDraft: [
    'RESP-09',
    'the id of a draft once it is submitted',
    'needs a draft submitted through the public form',
  ],
  retryDelayFrom: [
    'DLV-06',
    'whether a retry delay starts at the start or the end of a failed attempt',
    'needs the delivery log, which the API does not show',
  ],
  retriedBody: ['DLV-06', 'the body of a retry', 'needs a receiver that fails an attempt'],
  attemptInFlightAtPause: [
    'HOOK-07',
    'an attempt in flight when its endpoint is paused',
    'needs the web app: the API cannot pause an endpoint',
  ],
  writeKeyOnReadPlan: [
    'AUTH-11',
    'a write key on a plan with read access',
    'needs a write key of a workspace whose plan has read access only',
  ],
  keyLimitPer: [
    'AUTH-08',
    'whether the key limit is per user or per workspace',
    'needs the web app, where keys are created',
  ],
  refusedRequestCounts: ['RATE-03', 'whether a refused request counts', 'needs two minutes at the limit'],
} as const satisfies Partial<Record<UnspecifiedKey, readonly [rule: string, title: string, needs: string]>>

const OBSERVED: Record<Exclude<UnspecifiedKey, keyof typeof UNOBSERVABLE>, Seen> = {
  webhookDelete: observeWriting('HOOK-03', 'status of deleting an endpoint', (context) =>
    withEndpoints(context, async (add) => {
      const { id } = created(context, await add())
      return byStatus(await remove(context, id), { 200: '200', 204: '204' })
    }),
  ),

  patchWithoutField: observeWriting('FORM-11', 'status of a PATCH without a known field', async (context) =>
    byStatus(await patch(context, {}), { 422: '422', 400: '400' }),
  ),

  statusOfUnpublished: observeWriting(
    'FORM-06',
    'changing the status of a form that is not published',
    async (context) => {
      const form = await firstForm(context, ['draft', 'archived'])
      const reply = await patch({ ...context, form }, { status: 'closed' })
      return byStatus(reply, { 422: '422', 400: '400', 403: '403', 409: '409' })
    },
  ),

  publishedWhenClosed: observe('FORM-06', 'published of a closed form', async (context) =>
    String((await firstForm(context, ['closed'])).published),
  ),

  reopen: observeWriting('FORM-08', 'reopening a form whose end date is past', async (context) => {
    const { form, options } = context
    if (!options.expendableForm || form.status !== 'published' || form.closes_at === null) {
      throw new CaseSkipped('needs a published form that is past its end date and may be left closed')
    }
    const closed = checkItem(await patch(context, { status: 'closed' }), formSchema) as Form
    const reopened = await patch(context, { status: 'published' })
    if (!isPast(closed.closes_at, closed))
      throw new CaseSkipped('needs a published form that is past its end date')
    return byStatus(reopened, { 200: 'always', 422: 'refusedPastEnd' })
  }),

  pagePastEnd: observe('ENV-06', 'a page past the end', async ({ probe }) =>
    byStatus(await probe.send('/forms?page=1000000'), { 200: 'empty', 422: '422' }),
  ),

  unknownParameters: observe('ENV-09', 'an unknown query parameter', async ({ probe }) =>
    byStatus(await probe.send('/forms?per_page=1&conformance_unknown=1'), { 200: 'ignored', 422: '422' }),
  ),

  eleventhEndpoint: observeWriting('HOOK-06', 'status of adding an eleventh endpoint', (context) =>
    withEndpoints(context, async (add) => {
      for (let made = (await listEndpoints(context)).length; made < 10; made += 1)
        created(context, await add())
      return byStatus(await add(), { 422: '422', 403: '403' })
    }),
  ),

  webhookListExtras: observe(
    'HOOK-01',
    'fields in the endpoint list beyond the documented ones',
    async (context) => {
      const [endpoint] = await listEndpoints(context)
      if (!endpoint) throw new CaseSkipped('needs a form with an endpoint')
      return String(
        Object.keys(endpoint).some((name) => !['id', 'url', 'active', 'created_at'].includes(name)),
      )
    },
  ),

  unresolvableHost: observeWriting('HOOK-04', 'an endpoint URL whose host does not resolve', (context) =>
    withEndpoints(context, async (add) =>
      byStatus(await add('https://no-such-host.invalid/hook'), { 422: '422', 201: 'accepted' }),
    ),
  ),

  validKeyFromBlockedAddress: {
    exhausts: true,
    ...observe(
      'RATE-02',
      'a valid key from an address with too many failed authentications',
      async ({ probe }) => {
        let blocked = false
        for (let sent = 0; sent < 40 && !blocked; sent += 1) {
          blocked =
            (await probe.sendOnce('/me', { authorization: 'Bearer svc_0000000000000000' })).status === 429
        }
        if (!blocked) throw new RuleViolation('40 consecutive failed authentications all returned 401')
        return byStatus(await probe.sendOnce('/me'), { 200: 'served', 429: '429' })
      },
    ),
  },

  draftSubmittedAt: observe('RESP-05', 'submitted_at of a draft', async (context) => {
    const [draft] = (await listResponses(context, { status: 'in_progress', per_page: 1 })).data
    if (!draft) throw new CaseSkipped('needs a form with a saved draft')
    return draft.submitted_at === null ? 'null' : 'lastSaved'
  }),

  timestamps: observe('ENV-05', 'format of timestamps', async ({ probe, form }) => {
    const { updated_at: timestamp } = checkItem(await probe.send(`/forms/${form.id}`), formSchema)
    if (!timestamp.endsWith('Z')) return 'offset'
    const digits = /\.(\d+)Z$/.exec(timestamp)?.[1]?.length ?? 0
    return digits === 0 ? 'seconds' : digits <= 3 ? 'milliseconds' : 'microseconds'
  }),

  extraFields: observe('ENV-04', 'fields beyond the documented ones', async ({ probe, form }) => {
    const me = checkItem(await probe.send('/me'), meSchema)
    const one = checkItem(await probe.send(`/forms/${form.id}`), formSchema)
    const more = (value: object, documented: readonly string[]): boolean =>
      Object.keys(value).some((name) => !documented.includes(name))
    return String(more(me, ['user', 'workspace', 'key']) || more(one, Object.keys(formSchema.shape)))
  }),

  errorDetails: observe('ERR-03', 'members of error.details', async ({ probe }) => {
    const reply = checkStatus(await probe.send('/forms?per_page=0'), 422)
    const details = (reply.json as { error?: { details?: object } } | undefined)?.error?.details
    if (details === undefined) return 'none'
    return Object.keys(details).some((name) => name !== 'field') ? 'extra' : 'field'
  }),

  datesChangeStatus: observeWriting(
    'FORM-13',
    'status of a form that is past its end date or full',
    async (context) => {
      const form = checkItem(await patch(context, { title: context.form.title }), formSchema) as Form
      const full = form.response_limit !== null && form.response_count >= form.response_limit
      if (!full && !isPast(form.closes_at, form)) {
        throw new CaseSkipped('needs a published form that is past its end date or full')
      }
      if (form.status === 'published') return 'false'
      const reopened = form.status === 'closed' ? await patch(context, { status: 'published' }) : undefined
      if (reopened?.status !== 200)
        throw new CaseSkipped('needs a published form, or a closed one that can be reopened')
      if (checkItem(reopened, formSchema).status === 'closed') return 'true'
      await patch(context, { status: 'closed' })
      return 'false'
    },
  ),

  questionTypeNames: observe('RESP-07', 'names of question types', async (context) => {
    const types = new Set((await newestAnswers(context)).map(({ type }) => type as string))
    for (const shown of ['rating', 'long_text']) types.delete(shown)
    if (types.size === 0) throw new CaseSkipped('needs an answer of another type than rating and long_text')
    const known: ReadonlySet<string> = new Set(QUESTION_TYPES)
    return [...types].every((type) => known.has(type)) ? 'default' : 'variant'
  }),

  answerTexts: observe('RESP-07', 'text of numbers, files and addresses', async (context) => {
    const open = (await newestAnswers(context)).filter((answer) => defaultText(answer) !== undefined)
    if (open.length === 0) throw new CaseSkipped('needs an answer that is a number, a file or an address')
    return open.every((answer) => answer.text === defaultText(answer)) ? 'default' : 'variant'
  }),

  requestIdHeader: observe('ERR-04', 'whether responses have X-Request-Id', async ({ probe }) =>
    String((await probe.send('/me')).headers.has('x-request-id')),
  ),

  compression: observe('ENV-07', 'compression for a client that accepts gzip', async ({ probe, form }) => {
    const reply = await probe.send(`/forms/${form.id}/responses?per_page=100`, {
      headers: { 'accept-encoding': 'gzip' },
    })
    return reply.headers.get('content-encoding') === 'gzip' ? 'gzip' : 'none'
  }),

  bodyNotAnObject: observeWriting('ERR-01', 'a JSON body that is not an object', async (context) =>
    byStatus(await patch(context, []), { 400: '400', 422: '422' }),
  ),

  wrongContentType: observeWriting('ERR-01', 'a body with another content type', async (context) => {
    const reply = await patch(context, { title: context.form.title }, { 'content-type': 'text/plain' })
    return byStatus(reply, { 400: '400', 415: '415', 200: 'ignored' })
  }),

  bodyTooLarge: observeWriting('ERR-01', 'a body over the size limit', async (context) => {
    const body = { title: context.form.title, filler: 'x'.repeat(LIMITS.bodyMaxBytes) }
    const reply = await patch(context, body)
    if (reply.status === 200) throw new CaseSkipped('needs a body limit of at most 1 MiB')
    return byStatus(reply, { 400: '400', 413: '413' })
  }),

  wrongMethod: observe('ERR-02', 'a method that a path does not support', async ({ probe }) =>
    byStatus(await probe.send('/me', { method: 'PUT', body: {} }), { 404: '404', 405: '405' }),
  ),

  cors: observe('ENV-08', 'requests from pages of other origins', async ({ probe }) => {
    const { headers } = await probe.send('/me', { headers: { origin: 'https://page.example' } })
    return headers.has('access-control-allow-origin') ? 'any' : 'none'
  }),
}

const unobservable = ([rule, title, needs]: readonly [string, string, string]): Seen =>
  observe(rule, title, async () => {
    throw new CaseSkipped(needs)
  })

/** Every unspecified behaviour. */
export const OBSERVATIONS: readonly Observation[] = (Object.keys(UNSPECIFIED) as UnspecifiedKey[]).map(
  (key) => ({
    key,
    ...(key in UNOBSERVABLE
      ? unobservable(UNOBSERVABLE[key as keyof typeof UNOBSERVABLE])
      : OBSERVED[key as keyof typeof OBSERVED]),
  }),
)
