import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { PullOptions } from '@formwire/reference-server/pull'
import type { OptionSpec, OptionsOf } from '../command.ts'
import type { Context } from '../context.ts'
import { fileFailure, usage, withPath } from '../failure.ts'
import { choiceOf, count, RATE, sinceOption, span } from '../input/parse.ts'

const SCRUBS = ['normal', 'strict'] as const

/** The options that say what is pulled and how it is scrubbed. */
const PULL_OPTIONS = [
  {
    name: 'since',
    value: 'time',
    description:
      'only responses submitted since this ISO 8601 time (no zone: UTC), or a span such as 7d or 2w',
  },
  { name: 'limit', value: 'n', description: 'only the newest n responses of each form', parse: count },
  { name: 'drafts', description: 'also pull saved drafts' },
  { name: 'endpoints', description: 'also pull webhook endpoints: URL and state, never a secret' },
  {
    name: 'scrub',
    value: 'mode',
    description: 'normal, or strict to replace choices, numbers and dates as well',
    default: 'normal',
    choices: SCRUBS,
    parse: (text, option) => choiceOf(text, option, SCRUBS, 'to keep personal data, pass --no-scrub'),
  },
  { name: 'no-scrub', description: 'keep personal data; a file of it is readable only by you' },
  {
    name: 'keep',
    value: 'question',
    description: 'keep the answers to this question, FORM.QUESTION',
    many: true,
  },
  {
    name: 'replace',
    value: 'question',
    description: 'also replace the answers to this question, FORM.QUESTION',
    many: true,
  },
  {
    name: 'key-file',
    value: 'file',
    description: 'key of the pseudonyms, created if it does not exist: the same in every pull',
    default: 'a new key',
  },
  {
    name: 'shift',
    value: 'span',
    description: 'move all times by this span, such as 90d or -2w',
    parse: (text: string, option: string) =>
      text.startsWith('-') ? -span(text.slice(1), option) : span(text, option),
  },
  {
    name: 'report',
    value: 'file',
    description: 'write what was done with each question as JSON',
    parse: (text: string) => {
      if (text !== '-') return text
      throw usage('--report must be a file, got "-"', 'without --report, the report is printed on stderr')
    },
  },
] as const satisfies readonly OptionSpec[]

/** The options of a pull, as they are parsed. */
export type PullFlags = OptionsOf<typeof PULL_OPTIONS>

/** The options of `seed pull`. */
export const SEED_PULL_OPTIONS = [
  { name: 'all', description: 'pull every form of the workspace' },
  {
    name: 'out',
    value: 'file',
    description: 'write to this file, created only once complete; - for stdout',
    default: 'stdout',
  },
  ...PULL_OPTIONS,
  RATE,
  { name: 'resume', description: 'with --out: continue an interrupted pull' },
  { name: 'restart', description: 'with --out: throw away what an interrupted pull has left' },
] as const satisfies readonly OptionSpec[]

/** The options of `seed pull`, as they are parsed. */
export type SeedPullFlags = OptionsOf<typeof SEED_PULL_OPTIONS>

/** `--pull` of `serve`, and the options that require it. */
export const SERVE_PULL_OPTIONS = [
  { name: 'pull', description: 'serve a copy of the configured service, kept in memory only' },
  {
    name: 'form',
    value: 'id',
    description: 'pull this form',
    many: true,
    default: 'every form of the workspace',
  },
  ...PULL_OPTIONS,
  {
    name: 'observe',
    description:
      'behave like the service where its documentation leaves it open, as far as GET requests show',
  },
] as const satisfies readonly OptionSpec[]

/** Returns the options of a pull. @param out the file of the seed @throws Failure exit 2 */
export async function readPullFlags(
  context: Context,
  flags: PullFlags,
  out?: string,
): Promise<Omit<PullOptions, 'baseUrl' | 'forms'>> {
  const { runtime, output } = context
  const since = sinceOption(flags.since, runtime.clock)
  const scrub = flags.scrub === false ? false : flags.scrub === 'strict' ? 'strict' : 'normal'
  const { limit, keep = [], replace = [], shift, keyFile } = flags
  if (scrub === false && (keep.length > 0 || replace.length > 0))
    throw usage('--no-scrub cannot be combined with --keep or --replace', 'remove --no-scrub, or the others')
  await refuseSameFile({ '--out': out, '--report': flags.report, '--key-file': keyFile })
  const key = keyFile === undefined || scrub === false ? undefined : await readKeyFile(context, keyFile)
  if (keyFile !== undefined && !key) output.note('--key-file is not used: --no-scrub replaces nothing')
  return {
    ...{ since, limit, scrub, keep, replace, shiftMs: shift },
    drafts: flags.drafts === true,
    endpoints: flags.endpoints === true,
    signal: runtime.stop,
    now: () => runtime.clock.now(),
    ...(key && { key: key.bytes, onProgress: key.keep }),
  }
}

/** @throws Failure exit 2 for two options that name the same file: one would replace the other */
async function refuseSameFile(files: Readonly<Record<string, string | undefined>>): Promise<void> {
  const options = new Map<string, string>()
  for (const [option, path] of Object.entries(files)) {
    if (path === undefined) continue
    const directory = await realpath(dirname(path)).catch(() => resolve(dirname(path)))
    const file = await realpath(path).catch(() => join(directory, basename(path)))
    const other = options.get(file)
    if (other !== undefined)
      throw usage(`${other} and ${option} name the same file, ${path}`, 'choose another file for one of them')
    options.set(file, option)
  }
}

const KEY_BYTES = { min: 16, max: 4096, created: 32 }

interface Key {
  bytes: Uint8Array
  /** Keeps a file that was created here, even if the command fails. */
  keep: () => void
}

/**
 * Returns the key of a file. If the file does not exist, it is created, and removed if the command fails before `keep`.
 * The message never contains the key.
 */
async function readKeyFile(context: Context, path: string): Promise<Key> {
  const [{ randomBytes }, { open, rm }, { createFile }] = await Promise.all([
    import('node:crypto'),
    import('node:fs/promises'),
    import('@formwire/internal/files'),
  ])
  const key = randomBytes(KEY_BYTES.created)
  try {
    await createFile(path, key)
    return { bytes: key, keep: context.onExit(async () => await rm(path, { force: true })) }
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST')
      throw syscall === 'open' ? fileFailure(`write ${path}`, error) : withPath(error, path)
  }
  const file = await open(path, 'r').catch((error: unknown) => {
    throw fileFailure(`read ${path}`, error)
  })
  try {
    const key = Buffer.alloc(KEY_BYTES.max)
    const { bytesRead } = await file.read(key, 0, KEY_BYTES.max, 0)
    if (bytesRead < KEY_BYTES.min)
      throw usage(`${path} has ${bytesRead} bytes; a key has at least ${KEY_BYTES.min}`)
    return { bytes: key.subarray(0, bytesRead), keep: () => undefined }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw fileFailure(`read ${path}`, error)
    throw error
  } finally {
    await file.close()
  }
}
