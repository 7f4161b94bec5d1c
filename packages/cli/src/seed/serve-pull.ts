import { type ParseArgsConfig, parseArgs } from 'node:util'
import { nearestName } from '@formwire/internal/nearest-name'
import type { OptionSpec } from '../command.ts'
import { GLOBAL_OPTIONS } from '../command-line/global-options.ts'
import { longName } from '../command-line/words.ts'
import type { Context } from '../context.ts'
import { bothGiven, usage } from '../failure.ts'
import { spanText } from '../output/time.ts'
import { prepareOutput } from '../types/output-file.ts'
import { type PullFlags, readPullFlags, SERVE_PULL_OPTIONS } from './pull-options.ts'
import { announceRaw, failForMissing, reportPull, runPulling } from './pulling.ts'

/** Pulls a workspace into memory, and runs the reference server with it in this process. */
export async function servePull(context: Context, words: readonly string[], program: string): Promise<void> {
  const { output, runtime, global } = context
  const { flags, serverWords } = splitWords(words, global)
  const { form: forms = 'all', observe = false } = flags
  const clash = ['--seed', '--state'].find((option) => hasOption(serverWords, option))
  if (clash !== undefined) throw usage(`--pull cannot be combined with ${clash}`, 'remove one of them')
  const late = LEADING_OPTIONS.find((option) => hasOption(serverWords, option))
  if (late !== undefined)
    throw usage(`${late} must come before serve`, `for example formwire ${late} serve --pull`)
  if (observe && hasOption(serverWords, '--unspecified'))
    throw usage('--observe cannot be combined with --unspecified', 'remove one of them')
  const { canServe, SERVER_FLAGS, serveWords } = await import('@formwire/reference-server/pull')
  // The server prints, handles signals and sets the exit code on its own: this process becomes that program.
  const serve = async (pulled?: Parameters<typeof serveWords>[1]): Promise<void> => {
    runtime.execProgram(program, serverWords)
    await serveWords(serverWords, pulled)
    await new Promise(() => undefined)
  }
  // The server prints its help, or what is wrong with its words.
  if (!canServe(serverWords)) {
    refuseMistaken(serverWords, SERVER_FLAGS)
    await serve()
  }
  const options = await readPullFlags(context, flags)
  const report = flags.report === undefined ? undefined : await prepareOutput(flags.report, runtime.randomId)
  const finished = await runPulling(context, { ...options, forms })
  const { pulled } = finished
  await reportPull(context, finished, report)
  failForMissing(finished, 'nothing is served')
  announceRaw(context, finished, 'the served copy')
  // The form with the most responses shows the most.
  const [form] = pulled.report.forms.toSorted((one, other) => other.responses - one.responses)
  const unspecified = observe && form ? await observed(context, form.id) : undefined
  const seed = await pulled.seed()
  // Pseudonyms are hosts that do not exist.
  if (
    !pulled.report.scrubbed &&
    seed.workspaces.some((workspace) =>
      workspace.forms?.some(({ webhooks = [] }) => webhooks.some(({ active }) => active)),
    )
  )
    output.announce(
      'endpoints',
      'active endpoints were pulled: a response that is submitted here is sent to them',
    )
  await serve({ seed, unspecified })
}

/**
 * Of mistakes in the words for the server, explains those that are about the pull, which the server does not know.
 * @throws Failure exit 2
 */
function refuseMistaken(serverWords: readonly string[], serverFlags: readonly string[]): void {
  const known = [...SERVE_PULL_OPTIONS.map(({ flags }) => longName(flags)), ...serverFlags]
  const names = serverWords.filter((word) => word.startsWith('--')).map((word) => word.replace(/=.*/s, ''))
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, known)
    throw usage(
      `unknown option '${unknown}'`,
      nearest === undefined ? `Options: ${known.join(', ')}` : `Did you mean ${nearest}?`,
    )
  }
  const isValue = (before = ''): boolean => before.startsWith('--') && before !== '--json'
  const form = serverWords.find((word, at) => /^\w{12}$/.test(word) && !isValue(serverWords[at - 1]))
  if (form !== undefined)
    throw usage(`unexpected argument "${form}"`, `to pull this form: formwire serve --pull --form ${form}`)
}

/** Returns what the read-only cases of `conformance` observe of the service. Cases that send another method than GET observe nothing. */
async function observed(context: Context, formId: string) {
  const { output, runtime } = context
  const { runConformance } = await import('@formwire/reference-server/conformance')
  const { baseUrl, apiKey } = context.credentials()
  const { profile } = await runConformance({
    baseUrl,
    apiKey,
    formId,
    fetch: async (input, init) => {
      if ((init?.method ?? 'GET') !== 'GET') throw new Error('only GET requests are sent to the service')
      return await fetch(input, init)
    },
    wait: async (ms) => {
      output.announce('rate_limited', `rate limited; resuming in ${spanText(ms)}`)
      await runtime.clock.sleep(ms, runtime.stop)
    },
  })
  const { DEFAULT_UNSPECIFIED } = await import('@formwire/reference-server')
  const observed = Object.entries(profile)
  const others = observed.filter(([key, value]) => value !== Object(DEFAULT_UNSPECIFIED)[key])
  output.note(
    `observed ${observed.length} behaviours of the service${others.length === 0 ? ', all as by default' : ''}`,
  )
  for (const [key, value] of others)
    output.note(`  ${key}: ${value} (default: ${Object(DEFAULT_UNSPECIFIED)[key]})`)
  return profile
}

/** Global options that apply to the pull, but are not known to the server. */
const LEADING_OPTIONS = ['-q', '--quiet', '--no-wait', '--verbose', '--no-color']

const hasOption = (words: readonly string[], option: string): boolean =>
  words.some((word) => word === option || word.startsWith(`${option}=`))

/** What the command line says about the pull, and the words that are left for the server. */
interface SplitWords {
  flags: ServePullFlags
  serverWords: string[]
}

interface ServePullFlags extends PullFlags {
  all?: boolean
  form?: string[]
  observe?: boolean
}

/** Accepted here as well: `--all` as of `seed pull`, and global options that choose the service. */
const OTHER_OPTIONS: readonly OptionSpec[] = [
  { flags: '--all', description: '' },
  ...GLOBAL_OPTIONS.filter(({ flags }) => /^--(?:base-url|profile)/.test(flags)),
]

/** Takes the options of the pull out of the command line; the server reads all others. @throws Failure exit 2 */
function splitWords(words: readonly string[], global: Context['global']): SplitWords {
  const specs = [...SERVE_PULL_OPTIONS, ...OTHER_OPTIONS].map(({ flags, parse }) => {
    const [, name = '', value] = /^--([\w-]+)(?: (<.*>))?$/.exec(flags) ?? []
    return { name, takesValue: value !== undefined, parse }
  })
  const options: NonNullable<ParseArgsConfig['options']> = {}
  for (const { name, takesValue } of specs)
    options[name] = { type: takesValue ? 'string' : 'boolean', multiple: true }
  const { values, tokens } = parseArgs({ args: [...words], options, strict: false, tokens: true })
  const used = new Set<number>()
  for (const token of tokens) {
    if (token.kind !== 'option' || !Object.hasOwn(options, token.name)) continue
    used.add(token.index)
    if (options[token.name]?.type === 'boolean') continue
    if (!token.value) throw usage(`${token.rawName} requires a value`, `for example ${token.rawName}=VALUE`)
    if (!token.inlineValue) used.add(token.index + 1)
  }
  if (values.scrub !== undefined && values['no-scrub'] !== undefined) throw bothGiven('scrub')
  if (values.all !== undefined && values.form !== undefined)
    throw usage('--all cannot be combined with --form', 'remove one of them')
  const flags: Record<string, unknown> = {}
  for (const { name, takesValue, parse } of specs) {
    const member =
      name === 'no-scrub' ? 'scrub' : name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    for (const value of (values[name] ?? []) as (string | boolean)[]) {
      if (!takesValue) flags[member] = name !== 'no-scrub'
      else flags[member] = parse ? parse(String(value), flags[member] as never) : value
    }
  }
  const { baseUrl = global.baseUrl, profile = global.profile, ...rest } = flags as Partial<Context['global']>
  Object.assign(global, { baseUrl, profile })
  return { flags: rest as ServePullFlags, serverWords: words.filter((_, index) => !used.has(index)) }
}
