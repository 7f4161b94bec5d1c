import type { Faults } from '../app/faults.ts'
import type { Journal } from '../app/journal.ts'
import { showFault, spoilAnswer } from '../app/show-fault.ts'
import type { Context } from '../context.ts'
import { type Api, type ApiVisit, isApiPath } from './api.ts'
import { bugAnswer, errorAnswer } from './error-answer.ts'
import { ServiceError } from './errors.ts'
import { finish, withoutBody } from './finish.ts'
import type { IncomingMessage, OutgoingMessage } from './message.ts'
import type { RequestIds } from './request-ids.ts'

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
  readonly requestIds: RequestIds
  /** Where the cause of a 500 goes: stderr. */
  readonly report: (cause: unknown) => void
}

/** The whole server behind its doors: faults first, then the API or the area that owns the path, else 404. */
export function createHandler(parts: HandlerParts): Handler {
  const { context, areas, faults, report } = parts
  const { settings } = context

  const refuse = (cause: unknown): OutgoingMessage =>
    cause instanceof ServiceError ? errorAnswer(cause, settings) : bugAnswer(cause, settings, report)
  const answerApi = createApiAnswer(parts, refuse)

  const answerArea = (request: IncomingMessage): Answer => {
    const area = areas.find((candidate) => candidate.owns(request.path))
    try {
      if (!area) throw new ServiceError('not_found', 'There is nothing at this address.')
      const answer = area.answer(request)
      return answer instanceof Promise ? answer.catch(refuse) : answer
    } catch (cause) {
      return refuse(cause)
    }
  }
  const answerElsewhere = (request: IncomingMessage): Answer => {
    const answer = answerArea(request)
    if (request.method !== 'HEAD') return answer
    return answer instanceof Promise ? answer.then(withoutBody) : withoutBody(answer)
  }

  return (request) => {
    const api = isApiPath(request.path)
    const fault = request.path.startsWith('/_app') ? undefined : faults.take(request)
    if (!fault) return api ? answerApi(request, undefined) : answerElsewhere(request)
    return showFault(fault, request.signal)
      .then((shown) => (api ? answerApi(request, shown) : (shown ?? answerElsewhere(request))))
      .then((answer) => spoilAnswer(fault, answer, request.signal))
  }
}

/**
 * Answers, finishes and journals requests of the API. An answer that is there at once takes no promise and no function
 * of its own: that is most of what a read would cost.
 */
function createApiAnswer(
  { context, api, journal, requestIds }: HandlerParts,
  refuse: (cause: unknown) => OutgoingMessage,
): (request: IncomingMessage, fault: OutgoingMessage | undefined) => Answer {
  const { settings, clock } = context

  const conclude = (answer: OutgoingMessage, request: IncomingMessage, visit: ApiVisit): OutgoingMessage => {
    journal.add(request, visit, answer.status)
    return finish(answer, request, visit.requestNumber, requestIds, settings)
  }
  return (request, fault) => {
    const visit: ApiVisit = { requestNumber: requestIds.next(), receivedAt: clock.now(), key: undefined }
    try {
      const answer = fault ?? api.answer(request, visit)
      if (!(answer instanceof Promise)) return conclude(answer, request, visit)
      return answer.catch(refuse).then((ready) => conclude(ready, request, visit))
    } catch (cause) {
      return conclude(refuse(cause), request, visit)
    }
  }
}
