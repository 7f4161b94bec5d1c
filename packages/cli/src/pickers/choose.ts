import { stateText } from '../columns/webhooks.ts'
import type { Chooser } from '../command.ts'
import { readProfiles } from '../config/profiles.ts'
import type { Context } from '../context.ts'
import { Stopped, usage } from '../failure.ts'
import { canAsk } from '../input/ask.ts'
import { isCi } from '../output/output.ts'
import { PLAIN_PENS } from '../output/pens.ts'
import { gridLines, layout } from '../output/table.ts'
import { safeLine } from '../output/text-safety.ts'
import { relativeTime, utcTime } from '../output/time.ts'
import { prepareWidths } from '../output/width.ts'

/** Whether a picker can open: on a terminal, and not where a program reads the output or nobody watches. */
export function canChoose({ runtime, output }: Pick<Context, 'runtime' | 'output'>): boolean {
  const { stdout, env } = runtime
  if (stdout.isTTY !== true || env.TERM === 'dumb' || isCi(env) || output.json) return false
  // Opened last: no other command needs it.
  return canAsk({ runtime }) && 'setRawMode' in runtime.stdin
}

/** Rows to choose from; of responses, one page. */
const MAX_ROWS = 1000
const PAGE = 100

/** Lets the user choose a form. */
export const chooseForm = chooser('form', async (context) => {
  const rows: string[][] = []
  for await (const { id, title, status } of (await context.client()).forms.list({ per_page: PAGE }))
    if (rows.push([id, title, status]) === MAX_ROWS) break
  return rows
})

async function recentResponses(context: Context, form: string): Promise<string[][]> {
  const { data } = await (await context.client()).responses.list(form, { per_page: PAGE })
  return data.map(({ id, submitted_at, started_at, status, email }) => {
    const at = submitted_at ?? started_at
    const when = [`${at.slice(0, 10)} ${utcTime(at)}`, relativeTime(at, context.now())]
    return [String(id), ...when, status, email ?? '']
  })
}

/** Lets the user choose a response of the form, or any number of them. */
export const chooseResponse = chooser('recent response', recentResponses)
export const chooseResponses = chooser('recent response', recentResponses, true)

/** Lets the user choose a webhook endpoint of the form. */
export const chooseEndpoint = chooser('webhook endpoint', async (context, form) => {
  const { data } = await (await context.client()).webhooks.list(form)
  return data.map((one) => [String(one.id), one.url, stateText(one, undefined, context.now())])
})

/** Lets the user choose a form of a reference server, with the admin token alone. */
export const chooseServerForm = chooser('form', async (context, _form, token) =>
  (await (await context.control(token)).forms()).map(({ id, title }) => [id, title]),
)

/** Lets the user choose a webhook endpoint of such a form. */
export const chooseServerEndpoint = chooser('webhook endpoint', async (context, form, token) => {
  const endpoints = (await (await context.control(token)).endpoints()).filter((one) => one.form_id === form)
  return endpoints.map((one) => [String(one.id), one.url, stateText(one, one.health, context.now())])
})

/** Lets the user choose a delivery in the logs of a reference server. */
export const chooseDelivery = chooser('delivery', async (context, _form, token) => {
  const deliveries = await (await context.control(token)).allDeliveries()
  const newest = deliveries.toSorted((one, other) => other.created_at.localeCompare(one.created_at))
  return newest.slice(0, MAX_ROWS).map(({ id, created_at, status, event, response_id, form_id }) => {
    const about = response_id === null ? event : `response ${response_id}`
    return [id, relativeTime(created_at, context.now()), status, about, form_id]
  })
})

/** Lets the user choose a stored profile. */
export const chooseProfile = chooser('profile', async ({ runtime }) => {
  const { current, profiles } = readProfiles(runtime)
  const rows = Object.entries(profiles)
  return rows.map(([name, { base_url }]) => [name, base_url, name === current ? 'current' : ''])
})

/** Returns a chooser of rows that begin with their values. */
function chooser(
  noun: string,
  read: (context: Context, form: string, adminToken: string | undefined) => Promise<readonly string[][]>,
  several = false,
): Chooser {
  return async (context, [form = ''], { adminToken }) => {
    const of = form === '' ? '' : ` of form ${form}`
    const nouns = `${noun.replace(/y$/, 'ie')}s`
    // Loaded while the service responds. If that fails, it fails again below.
    const picker = import('./picker.tsx')
    picker.catch(() => undefined)
    // What fails is this, not what the command was asked to do.
    context.task = `list the ${nouns}${of}`
    const rows = await read(context, form, adminToken)
    context.task = undefined
    if (rows.length === 0) throw usage(`there are no ${nouns}${of} to choose from`)
    const texts = rows.map((row) => row.map(safeLine))
    await prepareWidths(texts.flat())
    const columns = (texts[0] ?? []).map((_, at) => texts.map((row) => row[at] ?? ''))
    const style = { width: Number.POSITIVE_INFINITY, pens: PLAIN_PENS }
    const noHeaders = columns.map(() => ({ header: '' }))
    const shown = layout(noHeaders, columns, style.width)
    const [, ...labels] = gridLines(shown, columns, () => undefined, style)
    const choices = labels.map((label, at) => ({ value: rows[at]?.[0] ?? '', label }))
    const question = `Which ${several ? nouns : noun}${of}?`
    const chosen = await (await picker).pick(context, question, several, choices)
    context.runtime.stop.throwIfAborted()
    if (chosen === undefined) throw new Stopped('interrupted')
    context.output.note(`${question} ${chosen.join(', ')}`, 'good')
    return chosen
  }
}
