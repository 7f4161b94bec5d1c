/** The handlers of a signal, which are called when it aborts. */
class Handlers extends Set<() => void> implements EventListenerObject {
  handleEvent(): void {
    for (const handler of this) handler()
  }
}

const handlersOf = new WeakMap<AbortSignal, Handlers>()

/**
 * Calls the handler when the signal aborts. All handlers of a signal are one listener, which is removed with the last of them: Node
 * warns of a memory leak from the eleventh listener, and a signal may belong to any number of requests.
 * @returns a function that removes the handler.
 */
export function onAbort(signal: AbortSignal | undefined, handler: () => void): () => void {
  if (!signal) return () => undefined
  const handlers = handlersOf.get(signal) ?? new Handlers()
  handlersOf.set(signal, handlers)
  // A listener that is there already is not added again.
  signal.addEventListener('abort', handlers.add(handler))
  return () => {
    handlers.delete(handler)
    if (handlers.size === 0) signal.removeEventListener('abort', handlers)
  }
}
