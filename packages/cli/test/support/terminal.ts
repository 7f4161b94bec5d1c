import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from './wait.ts'

const run = promisify(execFile)

/** Milliseconds between two looks at a screen, each of which starts tmux. */
export const LOOK_MS = 50

/** A real terminal: tmux on a separate socket, isolated from other sessions. */
export class Terminal {
  readonly #socket = join(tmpdir(), `formwire-${process.pid}-${Math.random().toString(36).slice(2)}`)

  /** Starts a shell command on a screen of this size. Its exit code is printed as `code=N`. */
  async start(command: string, env: Record<string, string>, columns: number, rows: number): Promise<void> {
    const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
    const line = `env -u CI -u NO_COLOR ${variables.join(' ')} ${command}; echo code=$?; sleep 600`
    await this.#tmux('-f', '/dev/null', 'new-session', '-d', '-x', String(columns), '-y', String(rows), line)
  }

  /** Returns the text of the screen without trailing blank lines; with `history`, also the scrollback. */
  async screen(history = false): Promise<string> {
    const { stdout } = await this.#tmux('capture-pane', '-p', ...(history ? ['-S', '-'] : []))
    return stdout.replace(/\s+$/, '')
  }

  /** Waits until the screen matches and returns it. */
  async sees(pattern: RegExp): Promise<string> {
    let screen = ''
    const isThere = async (): Promise<boolean> => {
      screen = await this.screen()
      return pattern.test(screen)
    }
    await until(`${pattern} on the screen`, isThere, LOOK_MS).catch((error: Error) => {
      throw new Error(`${error.message}; it shows:\n${screen}`)
    })
    return screen
  }

  /** Presses keys, named as in tmux: `q`, `Enter`, `Escape`, `Up`, `C-c`. */
  async press(...keys: string[]): Promise<void> {
    await this.#tmux('send-keys', ...keys)
  }

  /** Types a line. */
  async type(line: string): Promise<void> {
    await this.#tmux('send-keys', '-l', line)
    await this.press('Enter')
  }

  /** Sends characters as they are, such as those of a key that tmux has no name for. */
  async send(characters: string): Promise<void> {
    await this.#tmux('send-keys', '-l', characters)
  }

  /** Pastes a text, in brackets if the program asks for them. */
  async paste(text: string): Promise<void> {
    await this.#tmux('set-buffer', text)
    await this.#tmux('paste-buffer', '-p')
  }

  /** Returns whether the alternate screen is shown, and whether the cursor is. */
  async modes(): Promise<{ alternate: boolean; cursor: boolean }> {
    const { stdout } = await this.#tmux('display-message', '-p', '#{alternate_on} #{cursor_flag}')
    const [alternate, cursor] = stdout.trim().split(' ')
    return { alternate: alternate === '1', cursor: cursor === '1' }
  }

  /** Lets programs set the clipboard (OSC 52). */
  async allowCopies(): Promise<void> {
    await this.#tmux('set-option', '-g', 'set-clipboard', 'on')
  }

  /** Returns what was copied last. */
  async clipboard(): Promise<string> {
    return (await this.#tmux('show-buffer')).stdout
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux('resize-window', '-x', String(columns), '-y', String(rows))
  }

  async close(): Promise<void> {
    await this.#tmux('kill-server').catch(() => undefined)
    // tmux leaves it.
    await rm(this.#socket, { force: true })
  }

  #tmux(...args: string[]): Promise<{ stdout: string }> {
    return run('tmux', ['-S', this.#socket, ...args])
  }
}
