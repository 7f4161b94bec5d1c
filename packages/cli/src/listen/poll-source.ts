import type { FormResponse } from '@formwire/contract'
import { backoffMs } from '@formwire/internal/backoff'
import { shellWord } from '@formwire/internal/shell-word'
import type { PollState } from '@formwire/sdk'
import type { Context } from '../context.ts'
import { sinceOption } from '../input/parse.ts'
import { spanText } from '../output/time.ts'
import { ConnectionWatch } from '../polling/connection-watch.ts'
import { formPolls } from '../polling/start.ts'
import { reasonOf } from '../service-message.ts'
import { signedDelivery } from './delivery.ts'
import { EventBodies } from './events.ts'
import { type Forwarded, handled } from './handler.ts'
import type { ListenOptions } from './options.ts'
import { isAccepted, receivedDelivery } from './received-delivery.ts'
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
  context.connection = new ConnectionWatch(output)
  const bodies = new EventBodies(client, runtime.clock)
  const positions = new Map<string, PollState>()
  const since = sinceOption(options.since, runtime.clock)
  const polls = await formPolls(
    client,
    forms,
    { interval: options.interval, since },
    {
      onForm: (formId) => bodies.readTitle(formId),
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
      const follower = new Follower(context, options, line, secret)
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
          const body = await bodies.of(formId, response)
          if (!(await follower.deliver(formId, response.id, body, signal))) return
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

/** Sends responses to the handler until it accepts them. */
class Follower {
  readonly #context: Context
  readonly #options: ListenOptions
  readonly #line: Line
  readonly #secret: string
  #number = 0

  constructor(context: Context, options: ListenOptions, line: Line, secret: string) {
    this.#context = context
    this.#options = options
    this.#line = line
    this.#secret = secret
  }

  /** Resolves to true once the response is handled or given up, to false if the signal aborts before that. */
  async deliver(formId: string, id: FormResponse['id'], body: Buffer, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#context.runtime
    const { handler, onDelivery } = this.#line
    const event = 'response.submitted'
    const deliveryId = `local_${formId}_${id}`
    let recorded: string | null = null
    for (let attempt = 1; ; attempt += 1) {
      const delivery = signedDelivery({ body, event, deliveryId }, this.#secret, clock.now())
      if (attempt === 1) recorded = await tryRecord(this.#context, this.#options.record, delivery)
      const received_at = new Date(clock.now()).toISOString()
      const forwarded = await handler.send(delivery, formId)
      const isLast = attempt === MAX_ATTEMPTS
      const outcome = handler.outcome(formId, forwarded, { isRetried: !isLast })
      const isHandled = isAccepted(outcome.answered)
      const waitMs = backoffMs(attempt, FIRST_RETRY_MS, MAX_RETRY_MS)
      const isOver = isHandled || isLast
      const received = receivedDelivery({
        number: ++this.#number,
        received_at,
        delivery_id: deliveryId,
        event,
        form_id: formId,
        response_id: id,
        payload: JSON.parse(body.toString()),
        ...outcome,
        attempt,
        next_attempt_at: isOver ? null : new Date(clock.now() + waitMs).toISOString(),
        send_again: !isHandled && isLast && forwarded ? this.#giveUp(formId, id, forwarded) : null,
        recorded,
      })
      onDelivery(received, handled(delivery, forwarded), isOver)
      if (isOver) return true
      try {
        await clock.sleep(waitMs, signal)
      } catch (error) {
        if (signal.aborted) return false
        throw error
      }
    }
  }

  /** Reports a response that no attempt has delivered. Returns the command that sends it again. */
  #giveUp(formId: string, responseId: number, last: Forwarded): string {
    const target = this.#line.handler.targets.of(formId) ?? 'URL'
    const words = ['--form', formId, '--response', String(responseId), '--forward-to', target].map(shellWord)
    if (this.#options.insecure) words.push('--insecure')
    const command = ['formwire trigger response.submitted', ...words].join(' ')
    const outcome = last.reason ?? `the handler responded with ${last.status}`
    this.#context.output.announce(
      'given_up',
      `response ${responseId} of form ${formId} was not delivered in ${MAX_ATTEMPTS} attempts (last: ${outcome}); continuing with the next one. To send it again, with the handler's secret in FORMWIRE_WEBHOOK_SECRET, run: ${command}`,
      { form_id: formId, response_id: responseId, attempts: MAX_ATTEMPTS },
    )
    return command
  }
}
