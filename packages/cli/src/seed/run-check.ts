import { readJsonFile } from '@formwire/internal/json-file'
import { urlOf } from '@formwire/internal/url'
import type { Seed } from '@formwire/reference-server'
import type { SeedCheck, SeedDrift, SeedLeak } from '@formwire/reference-server/pull'
import { configuredServer, type Server } from '../config/credentials.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { fileFailure, usage } from '../failure.ts'
import { countOf, Progress } from '../output/progress.ts'
import { safeLine } from '../output/text-safety.ts'

const LISTED = 20

/** Checks a seed, with its service unless `offline`, and prints the result. Exit 1 for an invalid seed, a leak or drift. */
export async function runSeedCheck(context: Context, path: string, offline: boolean): Promise<ExitCode> {
  const { output, runtime } = context
  const value = await readJsonFile(path).catch((error: unknown) => {
    throw fileFailure(`read ${path}`, error, 'pass a file that formwire seed pull has written')
  })
  if (value === undefined)
    return await printInvalid(context, path, [{ path: '', message: 'is not valid JSON' }])
  const server = offline ? undefined : namedServer(context)
  if (server) refuseOtherService(path, value, server)
  const isConfigured = server !== undefined
  const client = isConfigured ? await context.longClient() : undefined
  const { checkSeed, SeedError } = await import('@formwire/reference-server/pull')
  const progress = new Progress(context, 'responses', 0)
  try {
    const found = await checkSeed(value, client, {
      signal: runtime.stop,
      onProgress({ read, total }) {
        progress.total = total
        progress.show(read)
      },
    })
    progress.end()
    if (isConfigured) output.note(`read ${countOf(found.covered, 'response')} of the service to compare`)
    if ((value as Seed).source?.scrubbed === false)
      output.note(`${path} is not scrubbed: it contains personal data`)
    return await print(context, path, found, isConfigured)
  } catch (error) {
    if (error instanceof SeedError) return await printInvalid(context, path, error.issues)
    throw error
  }
}

/** The service of this command line: a stored profile alone, which may be that of anything, does not choose one. */
function namedServer({ runtime, global }: Context): Server | undefined {
  const { baseUrl, profile } = global
  const isNamed = baseUrl !== undefined || profile !== undefined || Boolean(runtime.env.FORMWIRE_BASE_URL)
  return isNamed ? configuredServer(runtime, global) : undefined
}

/** Compared with another service, a seed would always pass the search for original texts. */
function refuseOtherService(path: string, value: unknown, { baseUrl, serverSource }: Server): void {
  const source: unknown = Object(Object(value).source).base_url
  if (typeof source !== 'string' || withoutSlash(source) === withoutSlash(baseUrl)) return
  throw usage(
    `${path} was pulled from ${safeLine(source)}, but ${serverSource} is ${baseUrl}`,
    'select its service with --base-url or --profile, with a key of that service; if it has moved, change source.base_url in the file',
  )
}

const withoutSlash = (url: string): string => (urlOf(url)?.href ?? url).replace(/\/+$/, '')

async function print(
  { output }: Context,
  path: string,
  found: SeedCheck,
  compared: boolean,
): Promise<ExitCode> {
  const { forms, responses, leaks, drift } = found
  if (output.json) await output.document({ valid: true, forms, responses, leaks, drift, compared })
  else {
    await output.line(
      `${path}: ${forms} form${forms === 1 ? '' : 's'}, ${responses} response${responses === 1 ? '' : 's'}`,
    )
    for (const leak of leaks.slice(0, LISTED))
      await output.line(safeLine(`leak: ${placeOf(leak)}: the original text is still in the seed`))
    if (leaks.length > LISTED)
      await output.line(`… and ${leaks.length - LISTED} more leaks (all with --json)`)
    for (const change of drift) await output.line(safeLine(`drift: form ${change.form}${driftText(change)}`))
    if (!compared) await output.line('not compared with a service')
  }
  return leaks.length > 0 || drift.length > 0 ? EXIT.failed : EXIT.done
}

const placeOf = ({ form, response, question }: SeedLeak): string =>
  [form === null ? '' : `form ${form}`, response === null ? '' : `response ${response}`, question ?? '']
    .filter((part) => part !== '')
    .join(', ')

const DRIFT = {
  new_form: 'is new',
  form_missing: 'is not there any more',
  form_changed: 'has changed',
  new_question: 'is new',
  question_missing: 'is in no response any more',
  question_changed: 'has changed',
  type_changed: 'has another type',
  new_option: 'has a new option, row or column',
  option_missing: 'has an option, row or column less',
} as const

function driftText({ question, kind, what }: SeedDrift): string {
  return `${question === null ? '' : ` question ${question}`} ${DRIFT[kind]}${what === null ? '' : `: ${what}`}`
}

async function printInvalid(
  { output }: Context,
  path: string,
  issues: readonly { path: string; message: string }[],
): Promise<ExitCode> {
  if (output.json)
    await output.document({
      valid: false,
      forms: 0,
      responses: 0,
      leaks: [],
      drift: [],
      compared: false,
      issues,
    })
  else
    for (const issue of issues)
      await output.line(safeLine(`${path}: ${issue.path || '(the seed)'}: ${issue.message}`))
  return EXIT.failed
}
