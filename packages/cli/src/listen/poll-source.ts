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
import { EventBodies } from './event-body.ts'
import { type Forwarded, handled } from './forward.ts'
import type { ListenOptions } from './options.ts'
import { receivedDelivery } from './received-delivery.ts'
import { tryRecord } from './recording.ts'
import { signedDelivery } from './signed-delivery.ts'
import type { DeliverySource, SourceParts } from './source.ts'

/** Attempts per response before the next one. */
const MAX_ATTEMPTS = 10
/** Milliseconds before the second attempt; doubles up to the maximum. */
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000
/** Milliseconds to finish attempts in flight on exit. */
const CLOSE_GRACE_MS = 2_000

/** Follows the forms through the API and sends each response to its handler, in order within a form. */
export async function openPoll(
  context: Context,
  options: ListenOptions,
  parts: SourceParts,
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
    { ...(options.interval !== undefined && { interval: options.interval }), since },
    {
      onForm: async (formId) => bodies.prime(await client.forms.get(formId)),
      onLoad: (formId, state) => void positions.set(formId, state),
    },
  )
  const [first] = polls.values()
  const secret = parts.session.signWith ?? ''
  const follower = new Follower(context, bodies, {
    ...parts,
    secret,
    recordDir: options.record,
    insecure: options.insecure === true,
  })
  return {
    handlerSecret: secret,
    title: `polling ${forms.length === 1 ? `form ${forms[0]}` : `${forms.length} forms`} every ${spanText(first?.intervalMs ?? 0)}; delivery ids are local`,
    now: () => runtime.clock.now(),
    facts: { forms, poll: true, delivery_ids: 'local' },
    async start() {
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
          if (!(await follower.deliver(formId, response, signal))) return
          // No break: requesting the next response acknowledges this one.
          if (parts.isOver()) over.abort()
        }
      })
      context.onExit(async () => {
        over.abort()
        const grace = new AbortController()
        const late = new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, CLOSE_GRACE_MS)
          grace.signal.addEventListener('abort', () => clearTimeout(timer))
        })
        await Promise.race([Promise.allSettled(following), late])
        grace.abort()
      })
      await Promise.all(following)
    },
    release: () => Promise.resolve(),
  }
}

interface FollowerOptions extends SourceParts {
  secret: string
  recordDir: string | undefined
  insecure: boolean
}

/** Sends responses to the handler until it accepts them. */
class Follower {
  readonly #context: Context
  readonly #options: FollowerOptions
  readonly #bodies: EventBodies
  #number = 0

  constructor(context: Context, bodies: EventBodies, options: FollowerOptions) {
    this.#context = context
    this.#options = options
    this.#bodies = bodies
  }

  /** Resolves to true once the response is handled or given up, to false if the signal aborts before that. */
  async deliver(formId: string, response: FormResponse, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#context.runtime
    const { handler, secret, onDelivery } = this.#options
    const body = await this.#bodies.of(formId, response)
    const deliveryId = `local_${formId}_${response.id}`
    let recorded: string | null = null
    for (let attempt = 1; ; attempt += 1) {
      const delivery = signedDelivery({ body, event: 'response.submitted', deliveryId }, secret, clock.now())
      if (attempt === 1) recorded = await tryRecord(this.#context, this.#options.recordDir, delivery)
      const receivedAt = new Date(clock.now()).toISOString()
      const forwarded = await handler.send(delivery, formId)
      const isHandled = !forwarded || (forwarded.reached && forwarded.status >= 200 && forwarded.status < 300)
      const isLast = attempt === MAX_ATTEMPTS
      const waitMs = backoffMs(attempt, FIRST_RETRY_MS, MAX_RETRY_MS)
      this.#number += 1
      const answered = !forwarded ? 200 : forwarded.reached ? forwarded.status : 502
      const received = receivedDelivery({
        number: this.#number,
        received_at: receivedAt,
        delivery_id: deliveryId,
        event: 'response.submitted',
        form_id: formId,
        response_id: response.id,
        payload: JSON.parse(body.toString()),
        answered,
        forwarded,
        advice: handler.adviceOn(formId, forwarded, answered, !isLast),
        attempt,
        next_attempt_at: isHandled || isLast ? null : new Date(clock.now() + waitMs).toISOString(),
        recorded,
      })
      if (!isHandled && isLast) received.send_again = this.#giveUp(formId, response.id, forwarded)
      onDelivery(received, handled(delivery, forwarded), isHandled || isLast)
      if (isHandled || isLast) return true
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
    const target = this.#options.handler.targetOf(formId) ?? 'URL'
    const words = ['--form', formId, '--response', String(responseId), '--forward-to', target].map(shellWord)
    if (this.#options.insecure) words.push('--insecure')
    const command = ['formwire trigger response.submitted', ...words].join(' ')
    const outcome = last.reached ? `the handler responded with ${last.status}` : last.reason
    this.#context.output.announce(
      'given_up',
      `response ${responseId} of form ${formId} was not delivered in ${MAX_ATTEMPTS} attempts (last: ${outcome}); continuing with the next one. To send it again, with the handler's secret in FORMWIRE_WEBHOOK_SECRET, run: ${command}`,
      { form_id: formId, response_id: responseId, attempts: MAX_ATTEMPTS },
    )
    return command
  }
}
