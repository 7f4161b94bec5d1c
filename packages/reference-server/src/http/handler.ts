import type { Faults } from '../app/faults.ts'
import type { Journal } from '../app/journal.ts'
import { showFault, spoilAnswer } from '../app/show-fault.ts'
import type { Context } from '../context.ts'
import type { ApiKey } from '../domain/key.ts'
import { type Api, isApiPath } from './api.ts'
import { bugAnswer, errorAnswer } from './error-answer.ts'
import { ServiceError } from './errors.ts'
import { finish, withoutBody } from './finish.ts'
import type { IncomingMessage, OutgoingMessage } from './message.ts'

type Answer = OutgoingMessage | Promise<OutgoingMessage>

/** One function for every door. It never throws and its promise never rejects. */
export type Handler = (request: IncomingMessage) => Answer

/** Something that answers the paths below a prefix; refuses by throwing `ServiceError`. */
export interface Area {
  /** Whether a raw path is its own. */
  owns(path: string): boolean
  answer(request: IncomingMessage): Answer
}

export interface HandlerParts {
  readonly context: Context
  readonly api: Api
  /** Tried in their order for what is not the API's. */
  readonly areas: readonly Area[]
  readonly faults: Faults
  readonly journal: Journal
  readonly nextRequestId: () => string
  /** Where the cause of a 500 goes: stderr. */
  readonly report: (cause: unknown) => void
}

/** The whole server behind its doors: faults first, then the API or the area that owns the path, else 404. */
export function createHandler(parts: HandlerParts): Handler {
  const { context, areas, faults } = parts
  const { settings } = context

  const settle = (work: () => Answer): Answer => {
    try {
      const answer = work()
      return answer instanceof Promise ? answer.catch(refuse) : answer
    } catch (cause) {
      return refuse(cause)
    }
  }
  const refuse = (cause: unknown): OutgoingMessage =>
    cause instanceof ServiceError ? errorAnswer(cause, settings) : bugAnswer(cause, settings, parts.report)

  const answerElsewhere = (request: IncomingMessage): Answer => {
    const area = areas.find((candidate) => candidate.owns(request.path))
    const answer = settle(() => {
      if (!area) throw new ServiceError('not_found', 'There is nothing at this address.')
      return area.answer(request)
    })
    if (request.method !== 'HEAD') return answer
    return answer instanceof Promise ? answer.then(withoutBody) : withoutBody(answer)
  }
  const answerApi = (request: IncomingMessage, fault: OutgoingMessage | undefined): Answer =>
    answerApiRequest(parts, request, (onKey) => settle(() => fault ?? parts.api.answer(request, onKey)))

  return (request) => {
    const api = isApiPath(request.path)
    const fault = request.path.startsWith('/_app') ? undefined : faults.take(request)
    if (!fault) return api ? answerApi(request, undefined) : answerElsewhere(request)
    return showFault(fault, request.signal)
      .then((shown) => (api ? answerApi(request, shown) : (shown ?? answerElsewhere(request))))
      .then((answer) => spoilAnswer(fault, answer, request.signal))
  }
}

/** Answers, finishes and journals one request of the API. */
function answerApiRequest(
  { context, journal, nextRequestId }: HandlerParts,
  request: IncomingMessage,
  work: (onKey: (key: ApiKey) => void) => Answer,
): Answer {
  const requestId = nextRequestId()
  const receivedAt = context.clock.now()
  let key: ApiKey | undefined
  const conclude = (answer: OutgoingMessage): OutgoingMessage => {
    const { status } = answer
    journal.add(request, {
      requestId,
      receivedAt,
      status,
      keyId: key?.id ?? null,
      keyPrefix: key?.prefix ?? null,
    })
    return finish(answer, request, requestId, context.settings)
  }
  const answer = work((found) => {
    key = found
  })
  return answer instanceof Promise ? answer.then(conclude) : conclude(answer)
}
