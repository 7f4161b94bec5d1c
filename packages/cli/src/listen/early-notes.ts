import type { Context } from '../context.ts'

/**
 * Keeps what is printed before a live view covers the terminal, of which nothing is to be left when it closes. The latest line is shown
 * as progress. All of it is printed if the command ends without a view. Where stderr is no terminal, it is printed as ever.
 */
export class EarlyNotes {
  readonly #printed: [text: string, event: string | undefined][] = []

  constructor(context: Context) {
    const { output, runtime } = context
    runtime.stop.throwIfAborted()
    if (runtime.stderr.isTTY !== true) return
    output.divert((text, event) => {
      this.#printed.push([text.trimEnd(), event])
      output.progress(text)
    }, false)
    context.leaveView = () => {
      context.leaveView = undefined
      output.divert(undefined)
      output.clearProgress()
      for (const [text, event] of this.#printed)
        if (event === undefined) output.note(text)
        else output.announce(event, text)
    }
  }

  /** What was printed so far. */
  get texts(): string[] {
    return this.#printed.map(([text]) => text)
  }
}
