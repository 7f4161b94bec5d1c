import type { IncomingMessage as NodeRequest, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { UNANSWERED_REQUESTS_MAX } from '../../resource-limits.ts'

export type Serve = (request: NodeRequest, response: ServerResponse) => void

/** The requests of one connection that wait, and the response that they wait for. */
interface Pipeline {
  current: ServerResponse
  readonly waiting: Parameters<Serve>[]
}

/**
 * Handles the requests that a client sends without waiting for responses one after the other: each when the response before it has
 * been handed to the system. Node would have all of them handled at once, and keep their responses in memory if the client reads none.
 * Drops the requests after the first `UNANSWERED_REQUESTS_MAX` that have no response yet, and closes the connection once those have one.
 */
export function oneAtATime(serve: Serve): Serve {
  const pipelines = new WeakMap<object, Pipeline>()
  const next = (pipeline: Pipeline): void => {
    const [request, response] = pipeline.waiting.shift() ?? []
    if (!request || !response || request.socket.destroyed) return
    pipeline.current = response
    if (pipeline.waiting.length > 0) response.once('close', () => next(pipeline))
    serve(request, response)
  }
  return (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const pipeline = pipelines.get(socket)
    if (!pipeline) pipelines.set(socket, { current: response, waiting: [] })
    else if (pipeline.current.writableFinished && pipeline.waiting.length === 0) pipeline.current = response
    else if (pipeline.waiting.length >= UNANSWERED_REQUESTS_MAX - 1) {
      dropFurther(socket)
      const [, last] = pipeline.waiting.at(-1) ?? []
      if (last) last.shouldKeepAlive = false
      return
    } else {
      pipeline.waiting.push([request, response])
      if (pipeline.waiting.length === 1) pipeline.current.once('close', () => next(pipeline))
      return
    }
    serve(request, response)
  }
}

/**
 * Has Node drop the requests that it reads from now on, since it would create a response for each. They are read, since closing a
 * connection with unread bytes would discard the responses.
 */
function dropFurther(socket: Socket & { parser?: { onIncoming?: unknown } }): void {
  if (socket.parser) socket.parser.onIncoming = () => 0
}
