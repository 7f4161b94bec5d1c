import { parseArgs } from 'node:util'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'
import { spanText } from '../output/time.ts'
import { PULL_OPTIONS, type PullFlags, readPullFlags } from './pull-options.ts'
import { failForMissing, printReport, runPulling } from './pulling.ts'

/** Pulls a workspace into memory, and runs the reference server with it in this process. */
export async function servePull(context: Context, words: readonly string[], program: string): Promise<void> {
  const { output, runtime, global } = context
  const { flags, forms, observe, serverWords } = splitWords(words, global)
  const clash = ['--seed', '--state'].find((option) => hasOption(serverWords, option))
  if (clash !== undefined) throw usage(`--pull cannot be combined with ${clash}`, 'remove one of them')
  if (observe && hasOption(serverWords, '--unspecified'))
    throw usage('--observe cannot be combined with --unspecified', 'remove one of them')
  const options = await readPullFlags(context, flags)
  const finished = await runPulling(context, { ...options, forms })
  const { pulled, requests } = finished
  if (flags.report !== undefined) {
    const { prepareOutput } = await import('../types/output-file.ts')
    const file = await prepareOutput(flags.report, runtime.randomId)
    await file.write(`${JSON.stringify({ ...pulled.report, requests }, null, 2)}\n`)
  }
  printReport(context, finished)
  failForMissing(finished)
  const [form] = pulled.report.forms
  const unspecified = observe && form ? await observed(context, form.id) : undefined
  const seed = await pulled.seed()
  if (
    seed.workspaces.some((workspace) =>
      workspace.forms?.some(({ webhooks = [] }) => webhooks.some(({ active }) => active)),
    )
  )
    output.announce(
      'endpoints',
      'active endpoints were pulled: a response that is submitted here is sent to them',
    )
  const { servePulled } = await import('@formwire/reference-server/pull')
  // The server prints, handles signals and sets the exit code on its own: this process becomes that program.
  runtime.execProgram(program, serverWords)
  await servePulled(serverWords, seed, unspecified)
  await new Promise(() => undefined)
}

/** Returns what the read-only cases of `conformance` observe of the service. */
async function observed(context: Context, formId: string) {
  const { output, runtime } = context
  const { runConformance } = await import('@formwire/reference-server/conformance')
  const { baseUrl, apiKey } = context.credentials()
  const { profile } = await runConformance({
    baseUrl,
    apiKey,
    formId,
    wait: async (ms) => {
      output.announce('rate_limited', `rate limited; resuming in ${spanText(ms)}`)
      await runtime.clock.sleep(ms, runtime.stop)
    },
  })
  output.note(`observed ${Object.keys(profile).length} behaviours of the service`)
  return profile
}

const hasOption = (words: readonly string[], option: string): boolean =>
  words.some((word) => word === option || word.startsWith(`${option}=`))

/** What the command line says about the pull, and the words that are left for the server. */
interface SplitWords {
  flags: PullFlags
  forms: readonly string[] | 'all'
  observe: boolean
  serverWords: string[]
}

interface WordOption {
  name: string
  takesValue: boolean
  set(value: string): void
}

/** Takes the options of the pull out of the command line; the server reads all others. @throws Failure exit 2 */
function splitWords(words: readonly string[], global: Context['global']): SplitWords {
  const flags: Record<string, unknown> = {}
  const forms: string[] = []
  let observe = false
  const options: WordOption[] = [
    { name: 'pull', takesValue: false, set: () => undefined },
    { name: 'all', takesValue: false, set: () => undefined },
    { name: 'observe', takesValue: false, set: () => void (observe = true) },
    { name: 'form', takesValue: true, set: (id) => void forms.push(id) },
    // Behind the command, where the others of the pull are.
    { name: 'base-url', takesValue: true, set: (url) => void (global.baseUrl = url) },
    { name: 'profile', takesValue: true, set: (profile) => void (global.profile = profile) },
    ...PULL_OPTIONS.map(({ flags: spec, parse }): WordOption => {
      const [, name = '', value] = /^--([\w-]+)(?: (<.*>))?$/.exec(spec) ?? []
      const key =
        name === 'no-scrub' ? 'scrub' : name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
      return {
        name,
        takesValue: value !== undefined,
        set(text) {
          if (value === undefined) flags[key] = name !== 'no-scrub'
          else flags[key] = parse ? parse(text, flags[key] as never) : text
        },
      }
    }),
  ]
  const known = new Map(options.map((option) => [option.name, option]))
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      options.map(({ name, takesValue }) => [
        name,
        { type: takesValue ? ('string' as const) : ('boolean' as const) },
      ]),
    ),
    strict: false,
    tokens: true,
  })
  const used = new Set<number>()
  for (const token of tokens) {
    const option = token.kind === 'option' ? known.get(token.name) : undefined
    if (!option || token.kind !== 'option') continue
    used.add(token.index)
    if (!option.takesValue) {
      option.set('')
      continue
    }
    if (token.value === undefined || token.value === '') throw usage(`${token.rawName} requires a value`)
    if (!token.inlineValue) used.add(token.index + 1)
    option.set(token.value)
  }
  return {
    flags,
    forms: forms.length > 0 ? forms : 'all',
    observe,
    serverWords: words.filter((_, index) => !used.has(index)),
  }
}
