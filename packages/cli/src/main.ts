import { argumentsOf } from './command.ts'
import { EXIT } from './exit.ts'
import { Failure, Stopped } from './failure.ts'
import { rejectionOf } from './interrupt.ts'
import { MAX_TEXT_COLUMNS, Output, writeQuietly } from './output/output.ts'
import { redact, safeJson, safeLine, textOf } from './output/text-safety.ts'
import { canChoose } from './pickers/choose.ts'
import { type Invocation, readCommandLine } from './program.ts'
import type { Runtime, TextStream } from './runtime.ts'

/** Runs one command line and resolves to its exit code. Never throws; all output goes to the runtime's streams. */
export async function main(argv: readonly string[], runtime: Runtime): Promise<number> {
  try {
    return await run(argv, runtime)
  } catch (error) {
    return reportPlainly(runtime.stderr, error, { json: wantsJson(argv) })
  }
}

/** Whether to print errors as JSON, including errors in the command line. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end < 0 ? argv : argv.slice(0, end)).some((word) => word === '--json' || word.startsWith('--json='))
}

/** Reports an error that nothing else has reported, without anything that could fail, and returns its exit code. Never throws. */
export function reportPlainly(
  stderr: TextStream,
  error: unknown,
  { json, secrets }: { json: boolean; secrets?: readonly string[] },
): number {
  const message = `unexpected error: ${redact(safeLine(textOf(error)), secrets)}`
  const facts = { error: { code: 'failed', message, exit_code: EXIT.failed } }
  writeQuietly(stderr, json ? `${safeJson(facts)}\n` : `formwire: ${message}\n`)
  return EXIT.failed
}

async function run(argv: readonly string[], runtime: Runtime): Promise<number> {
  let invocation: Invocation | string
  const noColour = argv.includes('--no-color')
  const output = new Output(runtime, { json: wantsJson(argv), quiet: false, noColour })
  await output.loadPens()
  try {
    const { columns } = runtime.stdout
    const style = { columns: columns && Math.min(columns, MAX_TEXT_COLUMNS), pens: output.pens }
    invocation = readCommandLine(argv, runtime, style, () => canChoose({ runtime, output }))
  } catch (error) {
    const { reportFailure, toFailure } = await import('./report.ts')
    const failure = withKeyWarning(toFailure(error), argv)
    return reportFailure(runtime.stderr, failure, { output, secrets: [] })
  }
  if (typeof invocation !== 'string') return await runInvocation(invocation, runtime)
  const help = invocation
  await new Promise<void>((resolve) => runtime.stdout.write(help, () => resolve()))
  return EXIT.done
}

/** Adds a warning to the error when the command line contains an API key (AUTH-02) or the secret of an endpoint. */
function withKeyWarning(failure: Failure, argv: readonly string[]): Failure {
  const isKey = argv.some((word) => /\bsvc_\w/.test(word))
  if (!isKey && !argv.some((word) => /\bwhsec_\w/.test(word))) return failure
  const { exitCode, code } = failure
  const renew = isKey
    ? 'revoke it in the app, create a new one, and pass it on stdin: formwire login --with-key < key.txt'
    : 'rotate it in the app, and pass the new one in FORMWIRE_WEBHOOK_SECRET'
  const what = isKey ? 'key' : 'secret'
  return new Failure(failure.message, {
    exitCode,
    code,
    hint: `The ${what} on the command line is now in your shell's history and was visible to other processes: ${renew}`,
  })
}

async function runInvocation(invocation: Invocation, runtime: Runtime): Promise<number> {
  const { command, context, options } = invocation
  const stopped = rejectionOf(runtime.stop)
  const run = async (): Promise<unknown> => {
    command.check?.(context, options)
    invocation.args = await withChosen(invocation)
    return await command.run(context, invocation.args, options)
  }
  await context.output.loadPens()
  let failed: unknown
  try {
    // Does not wait for a stopped command: the context has its cleanups.
    return ((await Promise.race([run(), stopped.promise])) as number | undefined) ?? EXIT.done
  } catch (error) {
    const ended = runtime.stop.aborted ? runtime.stop.reason : error
    failed = ended
    context.output.clearProgress()
    context.leaveView?.()
    if (ended instanceof Stopped) {
      const isTerminated = ended.signal === 'SIGTERM' && command.exits.includes(EXIT.terminated)
      const exitCode = isTerminated ? EXIT.terminated : ended.exitCode
      runtime.setExitCode?.(exitCode)
      return exitCode
    }
    const { output, secrets, global } = context
    const json = output.json || passesJson(invocation)
    try {
      const { reportFailure } = await import('./report.ts')
      const { errorPens, errorColumns } = output
      const style = { output: { json, errorPens, errorColumns }, verbose: global.verbose === true, secrets }
      return reportFailure(runtime.stderr, await failureOf(ended, invocation), style)
    } catch {
      return reportPlainly(runtime.stderr, ended, { json, secrets })
    }
  } finally {
    stopped.forget()
    await context.cleanUp(failed)
    writeQuietly(runtime.stderr, '')
  }
}

/** Whether `--json` is among the words for another program, which prints its own output: only errors are printed here. */
function passesJson({ command, args }: Invocation): boolean {
  return command.passThrough === true && args.flat().includes('--json')
}

/** Returns the arguments, with those chosen by the user that are needed and missing. */
async function withChosen({ command, context, args, options }: Invocation): Promise<Invocation['args']> {
  const all = [...args]
  for (const [at, { isRequired, isMany, choose, unless }] of argumentsOf(command).entries()) {
    const isNeeded = isRequired || unless?.every((option) => !options[option])
    if (!choose || !isNeeded || all[at]?.length || !canChoose(context)) continue
    const chosen = await choose(context, all.slice(0, at).flat(), options)
    all[at] = isMany ? [...chosen] : chosen[0]
  }
  return all
}

/** Describes what a command threw. */
async function failureOf(error: unknown, { command, context, args, options }: Invocation): Promise<Failure> {
  const { explainNotFound, failedIn, toFailure } = await import('./report.ts')
  const given = args.flat().filter((one) => one !== undefined)
  const explained = await explainNotFound(error, context)
  return toFailure(explained, failedIn(context, context.task ?? command.task?.(given, options)))
}
