/** @jsxImportSource react */
import type { Context } from '../context.ts'
import { failed } from '../failure.ts'
import { interrupt } from '../interrupt.ts'
import type { LiveColumn } from '../output/table.ts'
import { redact, safeLine, textOf } from '../output/text-safety.ts'
import { prepareWidths } from '../output/width.ts'
import { countsText, type Nouns } from './live-counts.ts'
import { detailLines, type RowDetails } from './live-details.ts'
import { type LiveActions, LiveModel } from './live-model.ts'
import { LiveTable } from './live-table.ts'
import { helpLines, LiveView } from './live-view.tsx'
import { LEAVE, openScreen } from './screen.ts'

/** Limit of most terminals for a copy, in bytes of base64. */
const MAX_COPY_BYTES = 74_994

/** Announcements that ask for something to be done, and are printed once more below the view when it has ended: the latest. */
const LASTING: ReadonlySet<string> = new Set(['given_up', 'gap', 'not_recorded'])
const MAX_LASTING = 10

export interface Mounted {
  model: LiveModel
  /** Resolves when the user quits. Rejects if the view cannot be shown. */
  quit: Promise<void>
}

/** What a live view shows, and what it can do with a row. */
export interface LiveViewOptions extends Pick<LiveActions, 'replay'> {
  title: string
  nouns: Nouns
  columns: readonly LiveColumn<never>[]
  /** What is shown until there are rows, and below the keys, such as a new secret. */
  notes?: readonly string[]
  details(key: string): Promise<RowDetails>
  /** Resolves to the text to copy, such as the body. */
  text(key: string): Promise<string | undefined>
}

/** Opens the live view on the terminal and closes it when the command ends for any reason. */
export async function mountLiveView(context: Context, options: LiveViewOptions): Promise<Mounted> {
  const { output, runtime } = context
  const { columns, nouns, replay, details, text, notes = [] } = options
  const title = redact(safeLine(options.title), context.secrets)
  const stdout = runtime.stdout as NodeJS.WriteStream
  // ink has loaded what measures them.
  await prepareWidths(['你'])
  // A command that was stopped meanwhile has left the terminal for good.
  runtime.stop.throwIfAborted()
  let leave: () => void = () => undefined
  let fail: (error: unknown) => void = () => undefined
  const quit = new Promise<void>((resolve, reject) => {
    leave = resolve
    fail = reject
  })
  // It may fail before anything waits for it.
  quit.catch(() => undefined)
  const model = new LiveModel(nouns, {
    replay,
    details: async (key) => detailLines(await details(key), context.secrets, output.pens),
    help: (width, shown) => helpLines(options, shown, width, output.pens),
    async copy(key) {
      const copied = await text(key)
      if (copied === undefined) return 'cannot copy: no longer in memory'
      const encoded = Buffer.from(copied).toString('base64')
      if (encoded.length > MAX_COPY_BYTES) return 'cannot copy: too large for the terminal'
      stdout.write(`\u001b]52;c;${encoded}\u0007`)
      return 'copied, if your terminal allows it'
    },
    quit: () => leave(),
    // In raw mode Ctrl-C is an ordinary key: raise the signal that it normally sends.
    interrupt: () => interrupt(),
    suspend: () => screen.suspend(),
  })
  model.hide(context.secrets)
  model.show({ notes })
  const table = new LiveTable(columns, output.pens)
  output.clearProgress()
  const screen = openScreen({
    stdin: runtime.stdin as NodeJS.ReadStream,
    terminal: stdout,
    pastes: true,
    content(size) {
      model.resize(size)
      return <LiveView title={title} model={model} table={table} pens={output.pens} isQuiet={output.quiet} />
    },
    onError(error) {
      const message = `could not show the live view: ${textOf(error)}`
      fail(failed('failed', message, 'to print plain lines instead, add --view lines', error))
    },
  })
  const lasting: [event: string, text: string][] = []
  output.divert((note, event) => {
    for (const line of note.split('\n')) if (line !== '') model.remark(line)
    if (event !== undefined && LASTING.has(event)) lasting.push([event, note])
  })
  context.leaveView = () => {
    context.leaveView = undefined
    output.divert(undefined)
    void screen.close()
    output.note(countsText(model.counts, nouns))
    for (const [event, note] of lasting.slice(-MAX_LASTING)) output.announce(event, note)
  }
  context.onExit(
    () => context.leaveView?.(),
    () => {
      if (context.leaveView) stdout.write(LEAVE)
    },
  )
  return { model, quit }
}
