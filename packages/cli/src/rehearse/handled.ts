import { once } from 'node:events'
import { onAbort } from '@formwire/internal/on-abort'
import type { RehearsalEnvironment } from '@formwire/reference-server/testing'
import type { Context } from '../context.ts'
import { sendRequest } from '../http/request.ts'
import { outlasts } from '../interrupt.ts'
import { signalGroup } from '../process-group.ts'
import { connectionProblem, type ServiceError } from '../service-message.ts'
import { OUTPUT_MAX, type ProcessPrograms, reasonIn } from './process-program.ts'

/** Milliseconds that it may take to say what was handled. */
const TIMEOUT_MS = 30_000
const TOO_LATE = `took longer than ${TIMEOUT_MS / 1000} s`
/** Largest list of ids, in bytes. */
const MAX_BYTES = 8 * 1_048_576
const TOO_LARGE = `more than ${MAX_BYTES / 1_048_576} MiB`
/** Milliseconds in which a program that was just started answers. */
const PATIENCE_MS = 5_000

/** Returns a function that runs a command line in a shell, in the folder of the run, which prints the ids. */
export function handledByCommand(
  { runtime }: Pick<Context, 'runtime'>,
  programs: ProcessPrograms,
  command: string,
) {
  const shell = process.platform === 'win32' ? ['cmd.exe', '/c'] : ['/bin/sh', '-c']
  return async (environment: RehearsalEnvironment): Promise<number[]> => {
    runtime.stop.throwIfAborted()
    const child = programs.spawn(environment, [...shell, command], environment.directory)
    const closed = once(child, 'close') as Promise<[code: number | null, signal: NodeJS.Signals | null]>
    let problem: string | undefined
    const end = (why: string): void => {
      problem ??= why
      signalGroup(child, 'SIGKILL')
      // A process of another group may hold them open.
      child.stdout.destroy()
      child.stderr.destroy()
    }
    const chunks: Buffer[] = []
    let size = 0
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_BYTES) end(`printed ${TOO_LARGE}`)
    })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-OUTPUT_MAX)
    })
    const ignoreStop = onAbort(runtime.stop, () => end('was interrupted'))
    void outlasts(closed, TIMEOUT_MS, runtime.clock).then((isLate) => isLate && end(TOO_LATE))
    try {
      const [code, signal] = await closed
      if (problem === undefined && code === 0)
        return idsOf(Buffer.concat(chunks).toString(), 'the command of --handled')
      problem ??= signal === null ? `exited with ${code}` : `was ended by ${signal}`
      throw new Error(`the command of --handled ${problem}${reasonIn(errors)}`)
    } finally {
      ignoreStop()
    }
  }
}

/** Returns a function that gets the ids from a URL, or from a path of the program. */
export function handledByUrl({ runtime: { clock, stop } }: Pick<Context, 'runtime'>, url: string) {
  return async ({ port }: RehearsalEnvironment): Promise<number[]> => {
    const address = url.startsWith('/')
      ? `http://127.0.0.1:${port}${url}`
      : url.replaceAll('$PORT', String(port))
    for (const end = clock.now() + PATIENCE_MS; ; await clock.sleep(50, stop)) {
      stop.throwIfAborted()
      try {
        return idsOf(await textAt(address, stop), '--handled-url')
      } catch (error) {
        if (clock.now() >= end) throw error
      }
    }
  }
}

/** Gets the text at a URL. @throws Error that says in words why not */
async function textAt(url: string, stop: AbortSignal): Promise<string> {
  const request = { url, method: 'GET', headers: {}, timeoutMs: TIMEOUT_MS, stop }
  const { status, body } = await sendRequest(request, MAX_BYTES + 1).catch((error) => {
    const { timeoutMs, message } = error as ServiceError
    const problem = timeoutMs === undefined ? (connectionProblem(error) ?? message) : `it ${TOO_LATE}`
    throw failed(problem)
  })
  if (status < 200 || status > 299) throw failed(`it responded with status ${status}`)
  if (body.length > MAX_BYTES) throw failed(`the response has ${TOO_LARGE}`)
  return body.toString()
}

const failed = (problem: string): Error => new Error(`the request to --handled-url failed: ${problem}`)

/** Reads ids, one a line. @throws Error with the first line that is none */
function idsOf(text: string, source: string): number[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      if (/^\d{1,15}$/.test(line)) return Number(line)
      throw new Error(
        `${source} must print one response id per line, got ${JSON.stringify(line.slice(0, 40))}`,
      )
    })
}
