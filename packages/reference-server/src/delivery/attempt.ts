import type { Agent, Dispatcher } from 'undici'
import type { AttemptError } from '../domain/delivery.ts'
import { type AddressRules, judgeUrl, type Refusal, type WebhookTarget } from '../policy/address-rules.ts'
import { type AgeEntry, AgeList } from './age-list.ts'
import { AnswerBuffer } from './answer.ts'
import { errorOfException, errorOfStatus } from './outcome.ts'
import { resolveAll } from './resolve-host.ts'
import { safeConnector } from './safe-connect.ts'
import { type AddressSettings, needsLookup, requireAllowed, vetAddresses } from './vet-target.ts'

/** How an attempt ended. */
export interface AttemptAnswer {
  /** `null` without an answer. */
  readonly httpStatus: number | null
  /** `null` for a success. */
  readonly error: AttemptError | null
  /** First 300 characters, `null` without an answer. */
  readonly receiverAnswer: string | null
}

/** One signed request. */
export interface AttemptRequest {
  readonly url: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

/** Of a url that is refused: it is never sent to. */
const NO_PARTS = { origin: '', pathname: '', search: '' }
const ABANDONED: AttemptAnswer = { httpStatus: null, error: 'reset', receiverAnswer: null }

export interface SenderSettings extends AddressSettings {
  /** Deadline of a whole attempt, DNS, connection, headers and body included, in real milliseconds (DLV-05). */
  readonly timeoutMs: number
}

/** A url that was judged, and the parts of it that undici asks for. */
interface JudgedUrl {
  readonly judged: WebhookTarget | Refusal
  readonly origin: string
  readonly path: string
}

/** Judged urls kept, so that the next attempt need not take its url apart again. */
const JUDGED_URLS = 1000

/** Sends attempts over pooled connections. Whatever goes wrong is an answer of its class. */
export class AttemptSender {
  readonly #settings: SenderSettings
  /** Made for the first attempt: loading undici takes longer than all the rest of a start. No deadline runs meanwhile. */
  #agent: Agent | undefined
  #opening: Promise<Agent> | undefined
  /** Counts what was abandoned: an attempt of an older one that has not started never does. */
  #generation = 0
  readonly #judged = new Map<string, JudgedUrl>()
  /** The rules that those were judged by. */
  #judgedBy: AddressRules | undefined
  readonly #running: AgeList<Attempt>

  constructor(settings: SenderSettings) {
    this.#settings = settings
    this.#running = new AgeList(settings.timeoutMs, (attempt) => attempt.expire())
  }

  /** @param done Called once, when the attempt has ended, never in the caller's own turn. A promise each would cost more than the log. */
  send(request: AttemptRequest, done: (answer: AttemptAnswer) => void): void {
    if (this.#agent) {
      this.#begin(this.#agent, request, done)
      return
    }
    const generation = this.#generation
    void this.#open().then((agent) => {
      if (generation === this.#generation) this.#begin(agent, request, done)
      else done(ABANDONED)
    })
  }

  /** Ends every running attempt as a reset. */
  abandonAll(): void {
    this.#generation += 1
    for (const attempt of this.#running.items()) attempt.abandon()
  }

  /** Ends every running attempt and closes all connections. */
  async close(): Promise<void> {
    this.abandonAll()
    await (await this.#opening)?.destroy()
  }

  #open(): Promise<Agent> {
    this.#opening ??= import('undici').then(({ Agent }) => {
      this.#agent = new Agent({
        connect: safeConnector(this.#settings, this.#settings.timeoutMs),
        // One deadline of our own covers everything: undici's are late, and its body timeout starts over with each byte.
        headersTimeout: 0,
        bodyTimeout: 0,
        pipelining: 1,
      })
      return this.#agent
    })
    return this.#opening
  }

  #begin(agent: Agent, request: AttemptRequest, done: (answer: AttemptAnswer) => void): void {
    const attempt = new Attempt(this.#running, done)
    this.#start(agent, attempt, request)
  }

  #start(agent: Agent, attempt: Attempt, request: AttemptRequest): void {
    try {
      const url = this.#judge(request.url)
      const target = requireAllowed(url.judged)
      if (!needsLookup(target, this.#settings.routes)) {
        if (!target.literal) vetAddresses(target, [], this.#settings.rules)
        dispatch(agent, attempt, url, request)
        return
      }
      // A pooled connection asks no resolver: ask here too, so that a name which leads elsewhere by now is refused
      // at this attempt already (HOOK-05). The connector judges what it really connects to.
      resolveAll(this.#settings.resolve, target.host).then(
        (addresses) => {
          attempt.guard(() => {
            vetAddresses(target, addresses, this.#settings.rules)
            dispatch(agent, attempt, url, request)
          })
        },
        (error: unknown) => attempt.onResponseError(undefined, error),
      )
    } catch (error) {
      queueMicrotask(() => attempt.onResponseError(undefined, error))
    }
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
