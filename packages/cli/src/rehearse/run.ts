import { randomInt } from 'node:crypto'
import { basename } from 'node:path'
import { LARGEST_SEED, MAX_RUNS } from '@formwire/internal/rehearsal-kinds'
import type {
  RehearsalFailure,
  RehearsalProgress,
  RehearsalReport,
  RehearseOptions,
} from '@formwire/reference-server/testing'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { usage } from '../failure.ts'
import { prepareOutput } from '../files/output-file.ts'
import { readJsonInput } from '../input/read-input.ts'
import { assertWritable, writeJunit } from '../output/junit.ts'
import { MAX_TEXT_COLUMNS } from '../output/output.ts'
import { hanging } from '../output/pens.ts'
import { countOf, grouped, Progress } from '../output/progress.ts'
import { safeLine } from '../output/text-safety.ts'
import { checkCommand } from '../process-group.ts'
import { handledByCommand, handledByUrl } from './handled.ts'
import { ProcessPrograms } from './process-program.ts'
import type { RehearseFlags } from './rehearse-options.ts'

/** How often a schedule of the user is played: some break a program most times only. */
const SCHEDULE_PLAYS = 3
/** Largest schedule that is read, in bytes. */
const SCHEDULE_MAX_BYTES = 4 * 1_048_576

/** Steps of a failing schedule that are printed. */
const MAX_STEPS = 20
/** Runs without `--runs`. */
const RUNS = 20
/** Milliseconds between lines of progress where there is no terminal. */
const LINE_INTERVAL_MS = 10_000

/** Rehearses a program, reports how it went, and exits with 0 when no run broke. */
export async function runRehearse(
  context: Context,
  argv: readonly string[],
  flags: RehearseFlags,
): Promise<number> {
  const { runtime } = context
  const { webhook, expect, complete, deletions, only, without, profile, responses, speed } = flags
  if (argv.length === 0)
    throw usage('no program to rehearse', 'put its command after --, for example: -- node app.js')
  refuseContradictions(flags)
  const programs = new ProcessPrograms(context, argv)
  const handled = handledOf(context, programs, flags)
  checkCommand(context, argv)
  const save = flags.save === undefined ? undefined : await prepareOutput(flags.save)
  if (flags.junit !== undefined) assertWritable(flags.junit)
  const given =
    flags.schedule === undefined
      ? undefined
      : await readJsonInput(runtime, flags.schedule, SCHEDULE_MAX_BYTES, 'a file that --save wrote')
  const { rehearse } = await import('@formwire/reference-server/testing')
  const runs = flags.runs ?? (flags.time !== undefined ? MAX_RUNS : given ? SCHEDULE_PLAYS : RUNS)
  const progress = new Progress(context, 'runs', 0)
  progress.printLines(LINE_INTERVAL_MS)
  const begun = runtime.clock.now()
  const rehearsal = rehearse({
    ...{ webhook, expect, complete, deletions, only, without, profile, responses, speed, runs },
    seed: flags.seed ?? randomInt(LARGEST_SEED + 1),
    timeMs: flags.time,
    schedule: given?.value as RehearseOptions['schedule'],
    clock: 'real',
    start: programs.start,
    handled,
    signal: runtime.stop,
    onProgress: (step) => showProgress(progress, step),
  })
  // After a signal, it still removes the folder of its run.
  context.onExit(async () => void (await rehearsal.catch(() => undefined)))
  const report = await rehearsal.catch((error: Error) => {
    if (error.name === 'OptionError') throw usage(error.message)
    throw error
  })
  progress.end()
  if (runtime.stop.aborted && report.runs > 0)
    context.output.note(
      `${countOf(report.passed, 'run')} passed before the interruption${drawnFrom(report, flags)}`,
    )
  runtime.stop.throwIfAborted()
  const { failure } = report
  const durationMs = runtime.clock.now() - begun
  // What took long to find is not lost with one of the outputs, such as to a full disk.
  try {
    await render(context, report, { ...flags, runs })
  } finally {
    try {
      if (failure) await save?.write(`${JSON.stringify(failure.schedule, null, 2)}\n`)
    } finally {
      if (flags.junit !== undefined) writeJunit(flags.junit, suiteOf(argv, report, durationMs))
    }
  }
  if (!failure) return EXIT.done
  return failure.verdict === 'not_reachable' && failure.detail === null ? EXIT.unreachable : EXIT.failed
}

/** @throws Failure exit 2 for options that leave the other without effect */
function refuseContradictions({ schedule, only, without, profile, responses, seed }: RehearseFlags): void {
  const drawing = { only, without, profile, responses, seed }
  const [idle] = Object.entries(drawing).find(([, value]) => value !== undefined) ?? []
  if (schedule !== undefined && idle !== undefined)
    throw usage(
      `--${idle} cannot be combined with --schedule`,
      'a schedule from a file is played as it is: remove one of them',
    )
  const both = only?.find((kind) => without?.includes(kind))
  if (both !== undefined)
    throw usage(`--only ${both} cannot be combined with --without ${both}`, 'remove one of them')
}

function handledOf(
  context: Context,
  programs: ProcessPrograms,
  { handled, handledUrl }: RehearseFlags,
): RehearseOptions['handled'] {
  if (handled !== undefined && handledUrl !== undefined)
    throw usage('--handled cannot be combined with --handled-url', 'remove one of them')
  if (handled !== undefined) return handledByCommand(context, programs, handled)
  if (handledUrl !== undefined) return handledByUrl(context, handledUrl)
  throw usage(
    'nothing says what the program has handled',
    'pass --handled with a command that prints the ids of the responses, or --handled-url',
  )
}

function showProgress(progress: Progress, { phase, passed, flaky, runs, tries }: RehearsalProgress): void {
  progress.count = passed + flaky
  progress.total = runs
  if (phase === 'confirming') progress.say('run failed: playing it again')
  else if (phase === 'shrinking') {
    const { done, about } = tries ?? { done: 0, about: 0 }
    progress.say(`run failed: minimizing (${grouped(done)} of about ${grouped(about)} tries)`)
  } else if (runs === MAX_RUNS) progress.say(`${countOf(progress.count, 'run')} passed`)
  else progress.show()
}

async function render(context: Context, report: RehearsalReport, flags: RehearseFlags): Promise<void> {
  const { output } = context
  const { seed, runs, passed, failed, flaky, failure } = report
  if (output.json) {
    return await output.document({
      ...{ seed, runs, passed, failed, flaky },
      failure: failure && {
        verdict: failure.verdict,
        response_ids: failure.responseIds,
        likely: failure.likely,
        rate: rateOf(failure),
        steps: failure.steps,
        schedule: failure.schedule,
      },
    })
  }
  const drawn = drawnFrom(report, flags)
  if (!failure) return output.note(`${countOf(passed, 'run')} passed${drawn}`, 'good')
  await output.line(failureLines(context, report, failure, flags).join('\n'))
  if (failure.verdict !== 'not_reachable')
    output.note(
      `${countOf(runs, 'run')}${drawn}: ${grouped(passed)} passed, ${grouped(failed + flaky)} failed`,
    )
  else if (failure.detail === null)
    output.note(
      'the program must receive deliveries on the port in PORT, or read the API; --verbose shows what it prints',
    )
}

const drawnFrom = ({ seed }: RehearsalReport, { schedule }: RehearseFlags): string =>
  schedule === undefined ? ` (seed ${seed})` : ''

/** Returns how often the schedule failed, of how often it was played. */
const rateOf = ({ rate, plays }: RehearsalFailure): string => `${Math.round(rate * plays)} of ${plays}`

/** Returns what failed: the step that says so, where no response did. */
function whatFailed({ verdict, responseIds, steps }: RehearsalFailure): string {
  const [first, ...more] = responseIds
  if (first === undefined) return `${verdict.replaceAll('_', ' ')}: ${steps.at(-1)?.text}`
  const response = `response ${first}${more.length === 0 ? '' : ` and ${grouped(more.length)} more`}`
  if (verdict === 'handled_twice') return `handled ${response} more than once`
  return verdict === 'kept_after_deletion' ? `kept ${response} after its deletion` : `${verdict} ${response}`
}

/**
 * Returns the failing schedule: which run failed and how, what happened, numbered, the likely cause, and how to reproduce it. Of a program
 * that was not reachable, only why.
 */
function failureLines(
  { output }: Context,
  { runs, failed, flaky, seed }: RehearsalReport,
  failure: RehearsalFailure,
  { runs: planned = RUNS, save, schedule }: RehearseFlags,
): string[] {
  const { pens, width } = output
  const { likely, verdict, detail, steps } = failure
  const columns = Math.min(width, MAX_TEXT_COLUMNS)
  const which =
    failed > 0
      ? `run ${grouped(runs)}${planned === MAX_RUNS ? '' : ` of ${grouped(planned)}`}`
      : `${grouped(flaky)} of ${countOf(runs, 'run')}, in ${rateOf(failure)} plays`
  const text = safeLine(`${which} · ${whatFailed(failure)}`)
  const head = hanging(`${pens.bold(pens.red('FAIL'))} `, 5, text, columns)
  const cause = hanging(`${pens.bold('Likely cause:')} `, 14, safeLine(likely), columns)
  if (verdict === 'not_reachable') return detail === null ? [...head, ...cause] : head
  const number = String(steps.length).length
  const time = `${steps.at(-1)?.at_ms ?? 0} ms`.length
  const again =
    save === undefined
      ? `formwire rehearse --seed ${seed} --save failing.json …, then --schedule failing.json`
      : `formwire rehearse --schedule ${save} …`
  return [
    ...head,
    '',
    ...steps.slice(0, MAX_STEPS).flatMap(({ at_ms, text }, index) => {
      const prefix = `${String(index + 1).padStart(number)}. ${`${at_ms} ms`.padStart(time)}  `
      return hanging(pens.dim(prefix), prefix.length, safeLine(text), columns)
    }),
    ...(steps.length > MAX_STEPS ? [`… ${steps.length - MAX_STEPS} more: --json shows all`] : []),
    '',
    ...cause,
    // Whole, to be copied.
    ...(schedule === undefined ? [`${pens.bold('Reproduce:')} ${safeLine(again)}`] : []),
  ]
}

/** The program is named without its arguments, which may contain secrets. */
function suiteOf([program = '']: readonly string[], report: RehearsalReport, durationMs: number) {
  const { failure, seed, runs } = report
  const steps = failure?.steps.map(({ at_ms, text }) => `${at_ms} ms  ${text}`).join('\n')
  return {
    name: `rehearse ${basename(program)}`,
    cases: [
      {
        className: 'formwire.rehearsal',
        name: `${countOf(runs, 'run')}, seed ${seed}`,
        durationMs,
        failure: failure ? `${failure.verdict}: ${failure.likely}\n${steps}` : undefined,
      },
    ],
  }
}
