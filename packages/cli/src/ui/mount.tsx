import { render } from 'ink'
import type { Context } from '../context.ts'
import { type LiveActions, LiveModel } from './live-model.ts'
import { LiveView } from './live-view.tsx'

/** A mounted live view. */
export interface Mounted {
  model: LiveModel
  /** Resolves when the user quits. */
  quit: Promise<void>
}

/** Mounts the live view on the terminal and unmounts it when the command ends for any reason. */
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
    // In raw mode Ctrl-C is an ordinary key: raise the signal that it normally sends.
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
