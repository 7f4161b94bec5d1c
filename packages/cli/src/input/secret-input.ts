import { interrupt } from '../interrupt.ts'
import type { Runtime } from '../runtime.ts'

/** Limit in characters; no key or secret is longer. */
const MAX_LENGTH = 4096

type Input = Pick<Runtime, 'stdin' | 'stderr' | 'stop'>

/**
 * Reads the first line of stdin: a key or a secret. On a terminal it prompts and does not echo the input. Resolves to
 * undefined when stdin ends without a line, or after `wait`.
 */
export async function readSecretLine(
  runtime: Input,
  prompt: string,
  wait?: { ms: number; sleep(ms: number, signal: AbortSignal): Promise<void> },
): Promise<string | undefined> {
  return await readLine(runtime, prompt, { hidden: true, ...(wait ? { wait } : {}) })
}

/** As `readSecretLine`, with the input visible. */
export async function readVisibleLine(runtime: Input, prompt: string): Promise<string | undefined> {
  return await readLine(runtime, prompt, { hidden: false })
}

async function readLine(
  { stdin, stderr, stop }: Input,
  prompt: string,
  { hidden, wait }: { hidden: boolean; wait?: NonNullable<Parameters<typeof readSecretLine>[2]> },
): Promise<string | undefined> {
  if (stdin.isTTY) stderr.write(prompt)
  const terminal =
    stdin.isTTY && hidden ? (stdin as unknown as { setRawMode?(on: boolean): void }) : undefined
  terminal?.setRawMode?.(true)
  /** After a stop and `fg` the shell has set its own mode, of which Node.js knows nothing. */
  const resume = (): void => {
    terminal?.setRawMode?.(false)
    terminal?.setRawMode?.(true)
    stderr.write(prompt)
  }
  if (terminal) process.on('SIGCONT', resume)
  const suspend = (): void => {
    terminal?.setRawMode?.(false)
    if (process.platform !== 'win32') process.kill(0, 'SIGTSTP')
  }
  const over = new AbortController()
  try {
    return await Promise.race([
      firstLine(stdin, terminal && { suspend }, over.signal),
      ...(wait ? [wait.sleep(wait.ms, over.signal).then(() => undefined)] : []),
      new Promise<never>((_resolve, reject) => {
        stop.addEventListener('abort', () => reject(stop.reason), { once: true, signal: over.signal })
      }),
    ])
  } finally {
    over.abort(new Error('cancelled'))
    process.off('SIGCONT', resume)
    terminal?.setRawMode?.(false)
    if (terminal) stderr.write('\n')
    stdin.pause()
  }
}

function firstLine(
  stdin: Input['stdin'],
  raw: { suspend(): void } | undefined,
  over: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let text = ''
    const settle = (result: string | undefined): void => {
      stdin.off('data', onData)
      stdin.off('end', onEnd)
      stdin.off('error', reject)
      stdin.pause()
      resolve(result)
    }
    const onEnd = (): void => settle(text === '' ? undefined : text)
    const onData = (chunk: Buffer | string): void => {
      const characters = [...chunk.toString()]
      for (const [index, character] of characters.entries()) {
        const key = keyOf(character, raw !== undefined)
        if (key === 'enter') {
          settle(text)
          const rest = characters.slice(index + 1).join('')
          // Lines typed ahead are left for the next prompt.
          if (rest !== '' && !stdin.readableEnded) stdin.unshift(Buffer.from(rest))
          return
        }
        if (key === 'end') onEnd()
        else if (key === 'interrupt') interrupt()
        else if (key === 'suspend') raw?.suspend()
        else if (key === 'delete') text = text.slice(0, -1)
        else text += character
        if (text.length > MAX_LENGTH) settle(undefined)
      }
    }
    over.addEventListener('abort', () => settle(undefined), { once: true })
    stdin.on('data', onData)
    stdin.on('end', onEnd)
    stdin.on('error', reject)
    // An earlier prompt may have paused it.
    stdin.resume()
    if (stdin.readableEnded || stdin.destroyed) onEnd()
  })
}

/** Returns the meaning of a character. In raw mode the terminal does not handle editing, Ctrl-C and Ctrl-Z. */
function keyOf(
  character: string,
  raw: boolean,
): 'enter' | 'end' | 'interrupt' | 'suspend' | 'delete' | 'text' {
  if (character === '\n' || character === '\r') return 'enter'
  if (!raw) return 'text'
  if (character === '\u0003') return 'interrupt'
  if (character === '\u0004') return 'end'
  if (character === '\u001a') return 'suspend'
  return character === '\u007f' || character === '\b' ? 'delete' : 'text'
}
