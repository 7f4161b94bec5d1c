import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)
/** Far longer than any step, so that a hanging runtime fails the run. */
const TIMEOUT_MS = 180_000

/** Runs a command. @returns its stdout. @throws with its output if the exit code is not 0. */
export async function run(command: string, args: string[], cwd: string): Promise<string> {
  try {
    return (await execute(command, args, { cwd, timeout: TIMEOUT_MS })).stdout
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')} failed with ${code}: ${error}\n${stdout}${stderr}`)
  }
}
