import type { WebhookEndpoint } from '@formwire/contract'
import { stateText } from '../columns/webhooks.ts'
import type { Chooser } from '../command.ts'
import { readProfiles } from '../config/profiles.ts'
import type { Context } from '../context.ts'
import type { ControlEndpoint } from '../control/client.ts'
import { Stopped, usage } from '../failure.ts'
import { canAsk } from '../input/ask.ts'
import { isCi } from '../output/output.ts'
import { countOf, grouped } from '../output/progress.ts'
import { safeLine } from '../output/text-safety.ts'
import { relativeTime, utcTime } from '../output/time.ts'
import { prepareWidths } from '../output/width.ts'
import type { Choice, PickerListOptions } from './picker-list.ts'

/** Whether a picker can open: on a terminal, and not where a program reads the output or nobody watches. */
export function canChoose({ runtime, output }: Pick<Context, 'runtime' | 'output'>): boolean {
  const { stdout, env } = runtime
  if (stdout.isTTY !== true || env.TERM === 'dumb' || isCi(env) || output.json) return false
  // Opened last: no other command needs it.
  return canAsk({ runtime }) && 'setRawMode' in runtime.stdin
}

/** Forms, responses and deliveries that a picker shows, the newest. */
const MAX_FORMS = 1000
const MAX_RESPONSES = 100
const MAX_DELIVERIES = 1000

/** Lets the user choose a form. */
export const chooseForm: Chooser = async (context) => {
  const choices = await read(context, 'list the forms', async () => {
    const client = await context.client()
    const found: Choice[] = []
    for await (const { id, title, status } of client.forms.list({ per_page: 100 })) {
      found.push({ value: id, texts: [title, id, status] })
      if (found.length === MAX_FORMS) break
    }
    return found
  })
  if (choices.length === 0) throw usage('the workspace has no forms to choose from')
  return await choose(context, { question: 'Which form?', choices })
}

/** Lets the user choose a response of the form. */
export const chooseResponse: Chooser = async (context, [formId = '']) => {
  return await choose(context, {
    question: `Which response of form ${formId}?`,
    ...(await newestResponses(context, formId)),
  })
}

/** Lets the user choose any number of responses of the form. */
export const chooseResponses: Chooser = async (context, [formId = '']) => {
  return await choose(context, {
    question: `Which responses of form ${formId}?`,
    ...(await newestResponses(context, formId)),
    several: true,
  })
}

/** Returns the newest responses with their email addresses, without answers. */
async function newestResponses(
  context: Context,
  formId: string,
): Promise<Pick<PickerListOptions, 'choices' | 'note'>> {
  const { data, meta } = await read(
    context,
    `list the responses of form ${formId}`,
    async () => await (await context.client()).responses.list(formId, { per_page: MAX_RESPONSES }),
  )
  if (data.length === 0) throw usage(`form ${formId} has no responses to choose from`)
  return {
    choices: data.map(({ id, submitted_at, started_at, status, email }) => ({
      value: String(id),
      texts: [String(id), ...momentOf(submitted_at ?? started_at, context.now()), status, email ?? ''],
    })),
    ...(meta.total > data.length && {
      note: `the newest ${grouped(data.length)} of ${grouped(meta.total)} responses; for another one, pass its id`,
    }),
  }
}

/** Returns a time of the API for people, to the second and relative to now. */
const momentOf = (time: string, now: number): [exact: string, relative: string] => [
  `${time.slice(0, 10)} ${utcTime(time)}`,
  relativeTime(time, now),
]

/** Lets the user choose a webhook endpoint of the form. */
export const chooseEndpoint: Chooser = async (context, [formId = '']) => {
  const { data } = await read(
    context,
    `list the webhook endpoints of form ${formId}`,
    async () => await (await context.client()).webhooks.list(formId),
  )
  return await chooseOfEndpoints(context, formId, data)
}

/** Which endpoints a command is about: all of them, or those that are active or paused. */
export type EndpointState = 'active' | 'paused' | undefined

const hasState =
  (state: EndpointState) =>
  ({ active }: Pick<WebhookEndpoint, 'active'>): boolean =>
    state === undefined || active === (state === 'active')

/** Lets the user choose a form of a reference server that has such endpoints. */
export function chooseFormWithEndpoints(state?: EndpointState): Chooser {
  return async (context, _args, options) => {
    const choices = await read(context, 'list the webhook endpoints', async () => {
      const control = await context.control(options.adminToken)
      const [all, forms] = await Promise.all([control.endpoints(), control.forms()])
      const endpoints = all.filter(hasState(state))
      return forms.flatMap(({ id, title }) => {
        const { length } = endpoints.filter(({ form_id }) => form_id === id)
        return length === 0 ? [] : [{ value: id, texts: [title, id, countOf(length, 'endpoint')] }]
      })
    })
    if (choices.length === 0)
      throw usage(
        `no form of the server has ${state === undefined ? 'a' : state === 'active' ? 'an active' : 'a paused'} webhook endpoint to choose from`,
      )
    return await choose(context, { question: 'Which form?', choices })
  }
}

/** Lets the user choose such a webhook endpoint of a form of a reference server. */
export function chooseServerEndpoint(state?: EndpointState): Chooser {
  return async (context, [formId = ''], options) => {
    const endpoints = await read(
      context,
      `list the webhook endpoints of form ${formId}`,
      async () => await (await context.control(options.adminToken)).endpoints(),
    )
    return await chooseOfEndpoints(
      context,
      formId,
      endpoints.filter((endpoint) => endpoint.form_id === formId && hasState(state)(endpoint)),
      state,
    )
  }
}

async function chooseOfEndpoints(
  context: Context,
  formId: string,
  endpoints: readonly (WebhookEndpoint & Pick<ControlEndpoint, 'health'>)[],
  state?: EndpointState,
): Promise<readonly string[]> {
  if (endpoints.length === 0)
    throw usage(
      `form ${formId} has no ${state === undefined ? '' : `${state} `}webhook endpoints to choose from`,
    )
  return await choose(context, {
    question: `Which webhook endpoint of form ${formId}?`,
    choices: endpoints.map((endpoint) => ({
      value: String(endpoint.id),
      texts: [String(endpoint.id), endpoint.url, stateText(endpoint, endpoint.health, context.now())],
    })),
  })
}

/** Lets the user choose a delivery in the logs of a reference server. */
export const chooseDelivery: Chooser = async (context, _args, options) => {
  const deliveries = await read(
    context,
    'list the deliveries',
    async () => await (await context.control(options.adminToken)).allDeliveries(),
  )
  if (deliveries.length === 0) throw usage('the server has no deliveries to choose from')
  return await choose(context, {
    question: 'Which delivery?',
    choices: deliveries
      .toSorted((one, other) => other.created_at.localeCompare(one.created_at))
      .slice(0, MAX_DELIVERIES)
      .map(({ id, created_at, status, event, response_id, form_id }) => ({
        value: id,
        texts: [
          id,
          relativeTime(created_at, context.now()),
          status,
          response_id === null ? event : `response ${response_id}`,
          form_id,
        ],
      })),
  })
}

/** Lets the user choose a stored profile. */
export const chooseProfile: Chooser = async (context) => {
  const { current, profiles } = readProfiles(context.runtime)
  const choices = Object.entries(profiles).map(([name, { base_url }]) => ({
    value: name,
    texts: [name, base_url, name === current ? 'current' : ''],
  }))
  if (choices.length === 0)
    throw usage('there are no profiles to choose from', 'store one with formwire login')
  return await choose(context, { question: 'Which profile?', choices, start: current ?? undefined })
}

/** Reads choices. What fails is this, not what the command was asked to do. */
async function read<Read>(context: Context, task: string, list: () => Promise<Read>): Promise<Read> {
  context.task = task
  // The picker loads while the service responds. If that fails, it fails again where the picker opens.
  loadPicker().catch(() => undefined)
  const found = await list()
  context.task = undefined
  return found
}

const loadPicker = () => import('./picker.tsx')

async function choose(context: Context, options: PickerListOptions): Promise<readonly string[]> {
  const { runtime, output } = context
  const choices = options.choices.map(({ value, texts }) => ({ value, texts: texts.map(safeLine) }))
  await prepareWidths(choices.flatMap(({ texts }) => texts))
  const { pick } = await loadPicker()
  const chosen = await pick({
    ...options,
    choices,
    stdin: runtime.stdin as NodeJS.ReadStream,
    stderr: runtime.stderr as NodeJS.WriteStream,
    pens: output.errorPens,
    stop: runtime.stop,
    onExit: (run, forced) => context.onExit(run, forced),
  })
  runtime.stop.throwIfAborted()
  if (chosen === undefined) throw new Stopped('interrupted')
  output.note(`${options.question} ${chosen.join(', ')}`, 'good')
  return chosen
}
