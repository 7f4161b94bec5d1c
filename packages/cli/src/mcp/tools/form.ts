import { type FormResponse, RESPONSE_STATUSES } from '@formwire/contract'
import type { BuilderForm, EndpointDetail, Receiver, RotatedSecret } from '@formwire/contract/control'
import * as z from 'zod'
import { safeJson } from '../../output/text-safety.ts'
import { invalidArgument } from '../failures.ts'
import { PAGE_MARGIN, pageOf } from '../result.ts'
import { responseView } from '../service/response-view.ts'
import type { Session } from '../session.ts'
import { defineTool, nextTurn, PAGING } from '../tool.ts'
import { markStrangers } from '../untrusted.ts'

const FORM_ACTIONS = ['close', 'reopen', 'archive', 'trash', 'restore'] as const
const WEBHOOK_ACTIONS = ['pause', 'resume', 'test'] as const

const ENDPOINT_ACTIONS = [...WEBHOOK_ACTIONS, 'rotate_secret', 'remove_webhook'] as const

const isFormAction = (action: string): action is (typeof FORM_ACTIONS)[number] =>
  (FORM_ACTIONS as readonly string[]).includes(action)

/** What a list shows of a form on the local server: the questions of one may fill a result. */
const formRow = ({ id, title, status, response_count, url, trashed, questions }: BuilderForm) => ({
  id,
  title,
  status: trashed ? 'trashed' : status,
  response_count,
  url,
  questions: questions.length,
})

/** What is known of a form on the local server. */
const shownForm = (form: BuilderForm) => ({ ...formRow(form), questions: form.questions })

const INPUT = z.strictObject({
  action: z.enum(['list', 'get', 'responses', 'create', ...FORM_ACTIONS, 'add_webhook', ...ENDPOINT_ACTIONS]),
  form: z.string().min(1).max(60).optional().describe('form id'),
  webhook: z.int().min(1).optional().describe('endpoint id'),
  title: z.string().max(500).optional(),
  questions: z
    .array(z.looseObject({ type: z.string() }))
    .max(200)
    .optional()
    .describe('{type, title, id?, required?, options?: [{id, label}]}; default a text and a rating'),
  url: z.string().max(2048).optional().describe('of the webhook handler'),
  receiver: z.int().min(1).optional().describe('mock receiver to send to, instead of url'),
  status: z.enum(RESPONSE_STATUSES).optional().describe('of the responses, default submitted'),
  ...PAGING,
})

type Given = z.output<typeof INPUT>

export const form = defineTool({
  name: 'form',
  group: 'local',
  description:
    'Forms, responses and webhook endpoints of the local server. create publishes a form and, with url or receiver, adds an endpoint, whose secret is in the result.',
  input: INPUT,
  takenBy: {
    form: ['get', 'responses', ...FORM_ACTIONS, 'add_webhook', ...ENDPOINT_ACTIONS],
    webhook: ENDPOINT_ACTIONS,
    title: ['create'],
    questions: ['create'],
    url: ['add_webhook', 'create'],
    receiver: ['add_webhook', 'create'],
    status: ['responses'],
    cursor: ['list', 'get', 'responses'],
  },
  requires: ['form', 'webhook'],
  async run(session, given, { mcpReq: { signal } }) {
    const { local } = session
    const { action } = given
    if (action === 'list') {
      const forms = await local.call<BuilderForm[]>('GET', '/forms')
      return pageOf(forms.map(formRow), ({ id }) => id, given)
    }
    if (action === 'create') return await create(session, given)
    const path = `/forms/${encodeURIComponent(given.form as string)}`
    if (action === 'get') return await describe(session, path, given)
    if (action === 'responses') return await responsesOf(session, path, given, signal)
    if (isFormAction(action)) return shownForm(await local.call<BuilderForm>('POST', `${path}/${action}`))
    if (action === 'add_webhook') return await addWebhook(session, path, given)
    const id = given.webhook as number
    const endpoint = `${path}/webhooks/${id}`
    if (action === 'remove_webhook') return await local.call('DELETE', endpoint)
    if (action !== 'rotate_secret') return markStrangers(await local.call('POST', `${endpoint}/${action}`))
    const rotated = await local.call<RotatedSecret>('POST', `${endpoint}/rotate-secret`)
    local.secrets.set(id, rotated.secret)
    return rotated
  },
})

const SAMPLE_QUESTIONS = [
  { id: 'comment', type: 'long_text', title: 'What do you think?' },
  { id: 'stars', type: 'rating', title: 'How was it?' },
]

async function create(session: Session, given: Given) {
  const { title = 'Test form', questions = SAMPLE_QUESTIONS } = given
  const sends = given.url !== undefined || given.receiver !== undefined
  if (sends) await session.local.checkUrl(await targetOf(session, given))
  const { id } = await session.local.call<BuilderForm>('POST', '/forms', { title, questions })
  const path = `/forms/${encodeURIComponent(id)}`
  const published = shownForm(await session.local.call<BuilderForm>('POST', `${path}/publish`))
  return sends ? { form: published, webhook: await addWebhook(session, path, given) } : { form: published }
}

/** Returns a form with its endpoints and a page of its questions. */
async function describe({ local }: Session, path: string, page: Given) {
  const webhooks = await local.call<EndpointDetail[]>('GET', `${path}/webhooks`)
  const form = await local.call<BuilderForm>('GET', path)
  const reserved = safeJson([formRow(form), webhooks]).length + PAGE_MARGIN
  const { items, next_cursor } = pageOf(form.questions, ({ id }) => id, { ...page, reserved })
  return { form: { ...shownForm(form), questions: items }, webhooks, next_cursor }
}

async function addWebhook(session: Session, path: string, given: Given) {
  const { local } = session
  const url = await targetOf(session, given)
  const endpoint = await local.call<EndpointDetail & RotatedSecret>('POST', `${path}/webhooks`, { url })
  local.secrets.set(endpoint.id, endpoint.secret)
  if (given.receiver !== undefined)
    await local.call('PUT', `/receivers/${given.receiver}`, { secret: endpoint.secret })
  return endpoint
}

/** Returns the URL of an endpoint that sends to `url` or `receiver`. */
async function targetOf({ local }: Session, { url, receiver }: Given): Promise<string> {
  if (url !== undefined && receiver === undefined) return url
  if (url !== undefined || receiver === undefined)
    throw invalidArgument('url', 'an endpoint needs either url or receiver')
  return (await local.call<Receiver>('GET', `/receivers/${receiver}`)).url
}

const RESPONSES_PER_PAGE = 100

/** Returns a page of the responses with a status, newest first, with every text marked that a respondent wrote. */
async function responsesOf(
  { local }: Session,
  path: string,
  { status = 'submitted', cursor, limit }: Given,
  signal: AbortSignal,
) {
  const all: FormResponse[] = []
  let start = cursor === undefined ? 0 : -1
  // As far as this page, and one more to know whether another follows.
  for (let page = 1; start < 0 || all.length <= start + limit; page += 1) {
    await nextTurn(signal)
    const query = `status=${status}&per_page=${RESPONSES_PER_PAGE}&page=${page}`
    const read = await local.call<FormResponse[]>('GET', `${path}/responses?${query}`)
    all.push(...read)
    if (start < 0) start = all.findIndex(({ id }) => String(id) === cursor) + 1 || -1
    if (read.length < RESPONSES_PER_PAGE) break
  }
  const rows = all.map((response) => responseView(response, true))
  return pageOf(rows, ({ id }) => String(id), { cursor, limit })
}
