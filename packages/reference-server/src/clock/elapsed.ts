/** Real milliseconds from some fixed moment, never backwards. For durations and deadlines: sockets live in real time. */
export const elapsedMs = (): number => performance.now()
