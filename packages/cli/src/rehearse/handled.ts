import { execFile } from 'node:child_process'
import type { RehearsalEnvironment } from '@formwire/reference-server/testing'
import type { Context } from '../context.ts'
import { environmentOf } from './process-program.ts'

/** Milliseconds that it may take to say what was handled. */
const TIMEOUT_MS = 30_000
/** Largest list of ids, in bytes. */
const MAX_BYTES = 8 * 1_048_576
/** Milliseconds in which a program that was just started answers. */
const PATIENCE_MS = 5_000

/** Returns a function that runs a command line in a shell, in the folder of the run, which prints the ids. */
export function handledByCommand(context: Context, command: string) {
  return (environment: RehearsalEnvironment): Promise<number[]> =>
    new Promise((resolve, reject) => {
      const [shell, flag] = process.platform === 'win32' ? ['cmd.exe', '/c'] : ['/bin/sh', '-c']
      const options = {
        cwd: environment.directory,
        env: environmentOf(context, environment),
        timeout: TIMEOUT_MS,
        maxBuffer: MAX_BYTES,
      }
      execFile(shell, [flag, command], options, (error, stdout, stderr) => {
        if (!error) return resolve(idsOf(stdout, 'the command of --handled'))
        const how = error.killed ? `took longer than ${TIMEOUT_MS / 1000} s` : `exited with ${error.code}`
        const why = stderr.trim().split('\n').at(-1) ?? ''
        reject(new Error(`the command of --handled ${how}${why === '' ? '' : `: ${why}`}`))
      }).on('error', () => undefined)
    })
}

/** Returns a function that gets the ids from a URL, or from a path of the program. */
export function handledByUrl({ runtime: { clock } }: Pick<Context, 'runtime'>, url: string) {
  return async ({ port }: RehearsalEnvironment): Promise<number[]> => {
    const address = url.startsWith('/')
      ? `http://127.0.0.1:${port}${url}`
      : url.replaceAll('$PORT', String(port))
    for (const end = clock.now() + PATIENCE_MS; ; await clock.sleep(50)) {
      try {
        const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
        if (response.ok) return idsOf(await response.text(), '--handled-url')
        if (clock.now() >= end) throw new Error(`--handled-url answered ${response.status}`)
      } catch (error) {
        if (clock.now() >= end) throw error
      }
    }
  }
}

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
