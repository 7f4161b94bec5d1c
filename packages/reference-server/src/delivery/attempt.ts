import { Agent, type Dispatcher } from 'undici'
import type { AttemptError } from '../domain/delivery.ts'
import { type AddressRules, judgeUrl, type Refusal, type WebhookTarget } from '../policy/address-rules.ts'
import { type AgeEntry, AgeList } from './age-list.ts'
import { AnswerBuffer } from './answer.ts'
import { errorOfException, errorOfStatus } from './outcome.ts'
import { resolveAll } from './resolve-host.ts'
import { safeConnector } from './safe-connect.ts'
import type { AttemptAnswer, AttemptRequest, Sender, SenderSettings } from './sender.ts'
import { needsLookup, requireAllowed, vetAddresses } from './vet-target.ts'

/** Of a url that is refused: it is never sent to. */
const NO_PARTS = { origin: '', pathname: '', search: '' }

/** A url that was judged, and the parts of it that undici asks for. */
interface JudgedUrl {
  readonly judged: WebhookTarget | Refusal
  readonly origin: string
  readonly path: string
}

/** Judged urls kept, so that the next attempt need not take its url apart again. */
const JUDGED_URLS = 1000

/** Sends attempts over pooled connections. Whatever goes wrong is an answer of its class. */
export class AttemptSender implements Sender {
  readonly #settings: SenderSettings
  readonly #agent: Agent
  readonly #judged = new Map<string, JudgedUrl>()
  /** The rules that those were judged by. */
  #judgedBy: AddressRules | undefined
  readonly #running: AgeList<Attempt>

  constructor(settings: SenderSettings) {
    this.#settings = settings
    this.#running = new AgeList(settings.timeoutMs, (attempt) => attempt.expire())
    this.#agent = new Agent({
      connect: safeConnector(settings, settings.timeoutMs),
      // One deadline of our own covers everything: undici's are late, and its body timeout starts over with each byte.
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining: 1,
    })
  }

  send(request: AttemptRequest, done: (answer: AttemptAnswer) => void): void {
    const attempt = new Attempt(this.#running, done)
    try {
      const url = this.#judge(request.url)
      const target = requireAllowed(url.judged)
      if (!needsLookup(target, this.#settings.routes)) {
        if (!target.literal) vetAddresses(target, [], this.#settings.rules)
        dispatch(this.#agent, attempt, url, request)
        return
      }
      // A pooled connection asks no resolver: ask here too, so that a name which leads elsewhere by now is refused
      // at this attempt already (HOOK-05). The connector judges what it really connects to.
      resolveAll(this.#settings.resolve, target.host).then(
        (addresses) => {
          attempt.guard(() => {
            vetAddresses(target, addresses, this.#settings.rules)
            dispatch(this.#agent, attempt, url, request)
          })
        },
        (error: unknown) => attempt.onResponseError(undefined, error),
      )
    } catch (error) {
      queueMicrotask(() => attempt.onResponseError(undefined, error))
    }
  }

  abandonAll(): void {
    for (const attempt of this.#running.items()) attempt.abandon()
  }

  async close(): Promise<void> {
    this.abandonAll()
    await this.#agent.destroy()
  }

  #judge(text: string): JudgedUrl {
    const { rules } = this.#settings
    if (rules !== this.#judgedBy) this.#judged.clear()
    this.#judgedBy = rules
    const known = this.#judged.get(text)
    if (known) return known
    const judged = judgeUrl(text, rules)
    const { origin, pathname, search } = 'refused' in judged ? NO_PARTS : judged.url
    const url = { judged, origin, path: pathname + search }
    if (this.#judged.size >= JUDGED_URLS) this.#judged.clear()
    this.#judged.set(text, url)
    return url
  }
}

function dispatch(
  agent: Agent,
  attempt: Attempt,
  { origin, path }: JudgedUrl,
  { headers, body }: AttemptRequest,
): void {
  if (attempt.settled) return
  agent.dispatch(
    {
      origin,
      path,
      method: 'POST',
      headers: headers as string[],
      body,
    },
    attempt as Dispatcher.DispatchHandler,
  )
}

/** One request on its way: undici's handler, the deadline, and the beginning of the answer. */
class Attempt {
  settled = false
  readonly #running: AgeList<Attempt>
  readonly #place: AgeEntry<Attempt>
  readonly #done: (answer: AttemptAnswer) => void
  readonly #answer = new AnswerBuffer()
  #status: number | null = null
  #controller: Dispatcher.DispatchController | undefined

  /** @param running Attempts with a deadline: this one is among them until it ends. */
  constructor(running: AgeList<Attempt>, done: (answer: AttemptAnswer) => void) {
    this.#running = running
    this.#place = running.add(this)
    this.#done = done
  }

  /** The deadline has passed. */
  expire(): void {
    // When this process itself was held up, an answer may have come in time and not been read: read it first.
    setImmediate(() => this.#end('timeout', true))
  }

  /** Runs a step of the attempt; what it throws ends the attempt. */
  guard(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.onResponseError(undefined, error)
    }
  }

  /** Ends it now, as if the connection had been lost. */
  abandon(): void {
    this.#end('reset', true)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // The deadline passed while it waited for its connection: nothing must be sent any more.
    if (this.settled) controller.abort(new Error('The attempt is over.'))
  }

  onResponseStart(_controller: unknown, status: number): void {
    // 1xx answers come before the one that counts.
    if (status >= 200) this.#status = status
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (!this.settled && !this.#answer.add(chunk)) this.#end('protocol', true)
  }

  onResponseEnd(): void {
    this.#end('protocol', false)
  }

  onResponseError(_controller: unknown, error: unknown): void {
    if (!this.settled) this.#end(errorOfException(error), false)
  }

  /** The status decides once it is there, whatever became of the body (DLV-05); until then the error does. */
  #end(errorWithoutStatus: AttemptError, cut: boolean): void {
    if (this.settled) return
    this.settled = true
    const status = this.#status
    if (cut) this.#controller?.abort(new Error('The rest of the answer is not wanted.'))
    this.#running.remove(this.#place)
    this.#done({
      httpStatus: status,
      error: status === null ? errorWithoutStatus : errorOfStatus(status),
      receiverAnswer: status === null ? null : this.#answer.text(),
    })
  }
}
