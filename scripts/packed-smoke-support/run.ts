import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)
/** Far longer than any step on the slowest machine, so that only a hanging runtime fails the run. */
const TIMEOUT_MS = 900_000
/** More than any step prints. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
/** Installs need the registry, which may refuse or lose a request. */
const INSTALL_ATTEMPTS = 3

/** Runs a command. @returns its stdout. @throws with its output if the exit code is not 0. */
export async function run(command: string, args: string[], cwd: string): Promise<string> {
  try {
    return (await execute(command, args, { cwd, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES })).stdout
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')} failed with ${code}: ${error}\n${stdout}${stderr}`)
  }
}

/** Runs an install, again if it fails. @throws with the output of the last attempt. */
export async function runInstall(command: string, args: string[], cwd: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run(command, args, cwd)
      return
    } catch (error) {
      if (attempt === INSTALL_ATTEMPTS) throw error
      console.error(`${String(error).split('\n', 1)[0]}; trying again`)
    }
  }
}
