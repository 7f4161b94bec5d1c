import { render } from 'ink'
import type { Context } from '../context.ts'
import { type LiveActions, LiveModel } from './live-model.ts'
import { LiveView } from './live-view.tsx'

/** A live view on the screen. */
export interface Mounted {
  model: LiveModel
  /** Resolves when the person quits. */
  quit: Promise<void>
}

/** Puts the live view on the terminal; it leaves again when the command ends, whatever ends it. */
export function mountLiveView(
  context: Context,
  title: string,
  actions: Pick<LiveActions, 'replay' | 'details'>,
): Mounted {
  let leave: () => void = () => undefined
  const quit = new Promise<void>((resolve) => {
    leave = resolve
  })
  const model = new LiveModel({
    ...actions,
    quit: () => leave(),
    // In raw mode Ctrl-C is a key; it is to do what it does everywhere else.
    interrupt: () => void process.kill(process.pid, 'SIGINT'),
  })
  const { stdout, stdin, stderr } = context.runtime
  const screen = render(<LiveView model={model} title={title} />, {
    stdout: stdout as NodeJS.WriteStream,
    stdin: stdin as NodeJS.ReadStream,
    stderr: stderr as NodeJS.WriteStream,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  context.onExit(() => screen.unmount())
  return { model, quit }
}
