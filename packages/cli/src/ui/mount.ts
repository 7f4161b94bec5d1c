import type { Context } from '../context.ts'
import { interrupt } from '../interrupt.ts'
import { prepareWidths } from '../output/width.ts'
import { frameLines, liveHeight, rowLine } from './frame.ts'
import { type LiveActions, LiveModel } from './live-model.ts'
import { Screen } from './screen.ts'

/** Limit of most terminals for a copy, in bytes of base64. */
const MAX_COPY_BYTES = 74_994

/** A mounted live view. */
export interface Mounted {
  model: LiveModel
  /** Resolves when the user quits. */
  quit: Promise<void>
}

/** What a live view can do with a row. */
export interface RowActions extends Pick<LiveActions, 'replay' | 'details'> {
  /** Resolves to the text to copy, such as the body. */
  text(key: string): Promise<string | undefined>
}

/** Opens the live view on the terminal and closes it when the command ends for any reason. */
export function mountLiveView(context: Context, title: string, actions: RowActions): Mounted {
  const { output, runtime } = context
  let leave: () => void = () => undefined
  const quit = new Promise<void>((resolve) => {
    leave = resolve
  })
  const model = new LiveModel(
    {
      replay: actions.replay,
      async details(key) {
        const lines = await actions.details(key)
        await prepareWidths(lines)
        return lines
      },
      async copy(key) {
        const text = await actions.text(key)
        if (text === undefined) return 'no longer in memory'
        const encoded = Buffer.from(text).toString('base64')
        if (encoded.length > MAX_COPY_BYTES) return 'too large to copy through the terminal'
        screen.control(`\u001b]52;c;${encoded}\u0007`)
        return 'copied, if your terminal allows it'
      },
      quit: () => leave(),
      // In raw mode Ctrl-C is an ordinary key: raise the signal that it normally sends.
      interrupt: () => interrupt(),
      suspend,
    },
    () => screen.invalidate(),
  )
  const screen: Screen = new Screen(runtime, {
    texts: () => [title, ...model.texts()],
    takeHistory: () => model.takeHistory().map((row) => rowLine(row, screen.size.columns, output.pens)),
    frame: (size) => frameLines(title, model.snapshot(), size, output.pens),
    onKey: (key) => model.press(key),
    onResize: (size) => model.resize(liveHeight(size), size.columns),
  })
  /** As the terminal does for Ctrl-Z: stops every process of this job until `fg`. */
  function suspend(): void {
    // Windows cannot stop a process.
    if (process.platform === 'win32') return
    screen.close()
    process.once('SIGCONT', () => screen.open())
    process.kill(0, 'SIGTSTP')
  }
  screen.open()
  output.divert((text) => {
    for (const line of text.split('\n')) if (line !== '') model.remark(line)
  })
  context.leaveView = () => {
    context.leaveView = undefined
    output.divert(undefined)
    model.finish()
    screen.close()
  }
  context.onExit(() => context.leaveView?.())
  return { model, quit }
}
