import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { until } from './wait.ts'

const run = promisify(execFile)

/** A real terminal: tmux on a socket of its own, so that no other session is touched. */
export class Terminal {
  readonly #socket = `formwire-${process.pid}-${Math.random().toString(36).slice(2)}`

  /** Whether there is a tmux to ask; CI installs it. */
  static async available(): Promise<boolean> {
    return await run('tmux', ['-V']).then(
      () => true,
      () => false,
    )
  }

  /** Starts a shell command on a screen of this size; when it ends its exit code is shown as `code=N`. */
  async start(command: string, env: Record<string, string>, columns: number, rows: number): Promise<void> {
    const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
    const line = `env -u CI -u NO_COLOR ${variables.join(' ')} ${command}; echo code=$?; sleep 60`
    await this.#tmux('-f', '/dev/null', 'new-session', '-d', '-x', String(columns), '-y', String(rows), line)
  }

  /** What the screen shows, without trailing blank lines; `history` adds what has scrolled off. */
  async screen(history = false): Promise<string> {
    const { stdout } = await this.#tmux('capture-pane', '-p', ...(history ? ['-S', '-'] : []))
    return stdout.replace(/\s+$/, '')
  }

  /** Waits for a screen that fits. */
  async sees(pattern: RegExp): Promise<string> {
    let screen = ''
    await until(
      `${pattern} on the screen`,
      async () => {
        screen = await this.screen()
        return pattern.test(screen)
      },
      15_000,
    ).catch((error: Error) => {
      throw new Error(`${error.message}; it shows:\n${screen}`)
    })
    return screen
  }

  /** Presses keys, in tmux's names: `q`, `Enter`, `Escape`, `Up`, `C-c`. */
  async press(...keys: string[]): Promise<void> {
    await this.#tmux('send-keys', ...keys)
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux('resize-window', '-x', String(columns), '-y', String(rows))
  }

  async close(): Promise<void> {
    await this.#tmux('kill-server').catch(() => undefined)
  }

  #tmux(...args: string[]): Promise<{ stdout: string }> {
    return run('tmux', ['-L', this.#socket, ...args])
  }
}
