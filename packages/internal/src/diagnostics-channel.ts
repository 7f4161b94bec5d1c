/** The part of a diagnostics channel that a publisher uses. */
export interface Channel<Message> {
  readonly hasSubscribers: boolean
  publish(message: Message): void
}

/** Returns a diagnostics channel, if the runtime has any. Without an import, since browsers and some Workers lack the module. */
export function diagnosticsChannel<Message>(name: string): Channel<Message> | undefined {
  try {
    return globalThis.process.getBuiltinModule('node:diagnostics_channel').channel(name)
  } catch {
    // In Next's Edge runtime, every function of `process` throws.
    return undefined
  }
}
