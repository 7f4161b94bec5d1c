import { EventEmitter } from 'node:events'
import { type Instance, render } from 'ink'
import type { ReactNode } from 'react'
import { keyStream } from './keys.ts'

/** Alternate screen, bracketed paste, hidden cursor. */
const ENTER = '\u001b[?1049h\u001b[?2004h\u001b[?25l'
/** Gives the terminal back, also when the process ends at once. */
export const LEAVE = '\u001b[?25h\u001b[?2004l\u001b[?1049l'
const CLEAR = '\u001b[2J\u001b[H'

export interface ScreenSize {
  columns: number
  rows: number
}

/** What covers the terminal. */
export interface ScreenOptions {
  stdin: NodeJS.ReadStream
  /** The terminal that is written to. */
  terminal: NodeJS.WriteStream
  /** Whether it is told of pasted texts. Otherwise they are typed. */
  pastes: boolean
  /** Returns what to show at this size. Called again after each resize. */
  content(size: ScreenSize): ReactNode
  /** Called if it cannot be shown. */
  onError(error: unknown): void
}

/** An alternate screen. What it covers comes back when it is closed. */
export interface Screen {
  suspend(): void
  /** Resolves when ink has let go of the terminal. */
  close(): Promise<void>
}

/** Covers the terminal. */
export function openScreen({ stdin, terminal, pastes, content, onError }: ScreenOptions): Screen {
  const keys = keyStream(stdin, pastes)
  const stream = plainStream(terminal)
  let ink: Instance | undefined
  let isOpen = false
  function paint(): void {
    const size = { columns: terminal.columns || 80, rows: terminal.rows || 24 }
    stream.columns = size.columns
    if (ink) {
      ink.rerender(content(size))
      // ink paints at once what is there already.
      stream.emit('resize')
      return
    }
    ink = render(content(size), {
      stdout: stream,
      stdin: keys,
      exitOnCtrlC: false,
      patchConsole: false,
    })
    ink.waitUntilExit().catch(onError)
  }
  function open(): void {
    // A job in the background is stopped here, before it writes anything, until it gets the terminal.
    stdin.setRawMode(true)
    // Node only learns of a new size from this signal, which a stopped process is not sent.
    process.emit('SIGWINCH', 'SIGWINCH')
    terminal.write(ENTER + CLEAR)
    terminal.on('resize', paint)
    isOpen = true
    try {
      paint()
    } catch (error) {
      void leave()
      throw error
    }
  }
  async function leave(): Promise<void> {
    if (!isOpen) return
    isOpen = false
    const exit = ink?.waitUntilExit()
    terminal.off('resize', paint)
    ink?.unmount()
    ink = undefined
    stdin.setRawMode(false)
    terminal.write(LEAVE)
    // What fails is reported to onError.
    await exit?.catch(() => undefined)
  }
  /** The process may have been stopped from outside, and the terminal used by others: both are set again. */
  function resume(): void {
    void leave()
    open()
  }
  open()
  process.on('SIGCONT', resume)
  return {
    /** As the terminal does for Ctrl-Z: stops every process of this job until `fg`. */
    suspend() {
      // Windows cannot stop a process.
      if (process.platform === 'win32') return
      void leave()
      setImmediate(() => process.kill(0, 'SIGTSTP'))
    },
    close() {
      process.off('SIGCONT', resume)
      return leave()
    },
  }
}

/**
 * Returns a stream to the terminal that ink does not take for one. On a terminal, ink erases the screen and its scrollback for a
 * frame that does not fit, and writes an escape sequence to stderr when the process exits, even into a file.
 */
function plainStream(terminal: NodeJS.WriteStream): NodeJS.WriteStream {
  const write = (text: string): boolean => terminal.write(text)
  return Object.assign(new EventEmitter(), { write }) as unknown as NodeJS.WriteStream
}
