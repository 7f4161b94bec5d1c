import { backoffMs } from '@formwire/internal/backoff'
import { shellWord } from '@formwire/internal/shell-word'
import type { PollState } from '@formwire/sdk'
import type { Context } from '../context.ts'
import { sinceOption } from '../input/parse.ts'
import { spanText } from '../output/time.ts'
import { OutageReport } from '../polling/outage-report.ts'
import { formPolls } from '../polling/start.ts'
import { reasonOf } from '../service-message.ts'
import { eventBodies } from './events.ts'
import type { Handler } from './handler.ts'
import type { ListenOptions } from './listen-options.ts'
import { isAccepted, type ReceivedDelivery } from './received-delivery.ts'
import { tryRecord } from './recording.ts'
import type { SessionSecret } from './secret.ts'
import { type DeliverySource, finishing, type Line } from './source.ts'

/** Attempts per response before the next one. */
const MAX_ATTEMPTS = 10
/** Milliseconds before the second attempt; doubles up to the maximum. */
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000

/** Follows the forms through the API and sends each response to its handler, in order within a form. */
export async function openPoll(
  context: Context,
  options: ListenOptions,
  { signWith: secret = '' }: SessionSecret,
): Promise<DeliverySource> {
  const { runtime, output } = context
  const forms = options.form ?? []
  const client = await context.client()
  context.connection = new OutageReport(output)
  const { readTitle, bodyOf } = eventBodies(client, runtime.clock)
  const positions = new Map<string, PollState>()
  const since = sinceOption(options.since, runtime.clock)
  const polls = await formPolls(
    client,
    forms,
    { interval: options.interval, since },
    {
      onForm: readTitle,
      onLoad: (formId, state) => void positions.set(formId, state),
    },
  )
  const [first] = polls.values()
  return {
    handlerSecret: secret,
    title: `polling ${forms.length === 1 ? `form ${forms[0]}` : `${forms.length} forms`} every ${spanText(first?.intervalMs ?? 0)}; delivery ids are local`,
    now: () => runtime.clock.now(),
    facts: { forms, poll: true, delivery_ids: 'local' },
    async start(line) {
      const send = responseSender(context, options, line, secret)
      const over = new AbortController()
      const signal = AbortSignal.any([runtime.stop, over.signal])
      const following = forms.map(async (formId) => {
        const responses = client.responses.poll(formId, {
          ...polls.get(formId),
          signal,
          onPause({ error }) {
            if (error.name !== 'RateLimitError') context.connection?.lost(reasonOf(error))
          },
          onGap: ({ since: from, oldest }) => {
            // A run that has handled no response begins at a time, which no response needs to have.
            if (positions.get(formId)?.ids.length === 0) return
            const message = `responses of form ${formId} between ${from} and ${oldest ?? 'now'} may be missing`
            output.announce('gap', message, { form_id: formId })
          },
        })
        for await (const response of responses) {
          const body = await bodyOf(formId, response)
          if (!(await send(formId, response.id, body, signal))) return
          // No break: requesting the next response acknowledges this one.
          if (line.isOver()) over.abort()
        }
      })
      context.onExit(async () => {
        over.abort()
        await finishing(following)
      })
      await Promise.all(following)
    },
  }
}

/** Returns what sends a response until the handler accepts it. */
function responseSender(context: Context, options: ListenOptions, line: Line, secret: string) {
  const { clock } = context.runtime
  const { handler, onDelivery } = line
  let attempts = 0
  /** Resolves to true once the response is handled or given up, to false if the signal aborts before that. */
  return async (
    form_id: string,
    response_id: number,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const delivery_id = `local_${form_id}_${response_id}`
    const payload: unknown = JSON.parse(body.toString())
    const facts = { delivery_id, event: 'response.submitted', form_id, response_id, payload, body }
    let recorded: string | null = null
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === MAX_ATTEMPTS
      const { received, delivery } = await handler.deliver({ number: 0, ...facts }, secret, !isLast)
      if (attempt === 1) recorded = await tryRecord(context, options.record, delivery, received.received_at)
      const isHandled = isAccepted(received.answered)
      const isOver = isHandled || isLast
      const waitMs = backoffMs(attempt, FIRST_RETRY_MS, MAX_RETRY_MS)
      attempts += 1
      const next_attempt_at = isOver ? null : new Date(clock.now() + waitMs).toISOString()
      Object.assign(received, { number: attempts, attempt, next_attempt_at, recorded })
      if (isLast && !isHandled) received.send_again = giveUp(context, options, handler, received)
      onDelivery(received, delivery, isOver)
      if (isOver) return true
      try {
        await clock.sleep(waitMs, signal)
      } catch (error) {
        if (signal.aborted) return false
        throw error
      }
    }
  }
}

/** Reports a response that no attempt has delivered. Returns the command that sends it again. */
function giveUp(
  { output }: Context,
  { insecure }: ListenOptions,
  { targets }: Handler,
  { form_id, response_id, answered, forwarded }: ReceivedDelivery,
): string {
  const words = ['--form', form_id, '--response', response_id, '--forward-to', targets.of(form_id) ?? 'URL']
  const command = `formwire trigger response.submitted ${words.map((word) => shellWord(String(word))).join(' ')}`
  const again = insecure ? `${command} --insecure` : command
  const outcome = forwarded?.reason ?? `the handler responded with ${answered}`
  output.announce(
    'given_up',
    `response ${response_id} of form ${form_id} was not delivered in ${MAX_ATTEMPTS} attempts (last: ${outcome}); continuing with the next one. To send it again, with the handler's secret in FORMWIRE_WEBHOOK_SECRET, run: ${again}`,
    { form_id, response_id, attempts: MAX_ATTEMPTS },
  )
  return again
}
