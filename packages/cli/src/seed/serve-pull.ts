import { nearestName } from '@formwire/internal/nearest-name'
import type { OptionSpec, OptionsOf } from '../command.ts'
import { OptionReader } from '../command-line/option-reader.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'
import { prepareOutput } from '../files/output-file.ts'
import { spanText } from '../output/time.ts'
import { readPullFlags, SERVE_PULL_OPTIONS } from './pull-options.ts'
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
  const report = flags.report === undefined ? undefined : await prepareOutput(flags.report)
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
  const known = [...SERVE_PULL_OPTIONS.map(({ name }) => `--${name}`), ...serverFlags]
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
  const { serviceFetch } = await import('../http/proxy.ts')
  const send = await serviceFetch(baseUrl, runtime.env)
  const { profile } = await runConformance({
    baseUrl,
    apiKey,
    formId,
    fetch: async (input, init) => {
      if ((init?.method ?? 'GET') !== 'GET') throw new Error('only GET requests are sent to the service')
      return await send(input, init)
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

/** Accepted here as well: `--all` as of `seed pull`, and global options that choose the service. */
const OPTIONS = [
  ...SERVE_PULL_OPTIONS,
  { name: 'all', description: '' },
  { name: 'base-url', value: 'url', description: '' },
  { name: 'profile', value: 'name', description: '' },
] as const satisfies readonly OptionSpec[]

/** Takes the options of the pull out of the command line; the server reads all others. @throws Failure exit 2 */
function splitWords(words: readonly string[], global: Context['global']) {
  const reader = new OptionReader(OPTIONS, ['serve'])
  const { operands, unknown } = reader.parseOptions([...words])
  for (const option of reader.options)
    if ([reader.getOptionValue(option.attributeName())].flat().includes(''))
      reader.optionMissingArgument(option)
  const {
    baseUrl = global.baseUrl,
    profile = global.profile,
    all,
    ...flags
  } = reader.opts<OptionsOf<typeof OPTIONS>>()
  if (all && flags.form) throw usage('--all cannot be combined with --form', 'remove one of them')
  Object.assign(global, { baseUrl, profile })
  return { flags, serverWords: [...operands, ...unknown] }
}
