import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { urlOf } from '@formwire/internal/url'
import type { FleetOptions, FleetWorkspace } from '@formwire/sync/fleet'
import * as z from 'zod'
import { checkKey } from '../config/credentials.ts'
import type { Context } from '../context.ts'
import { type Failure, notAllowed, usage } from '../failure.ts'
import { proxyOf, proxyTransport } from '../http/proxy.ts'
import { readJsonInput } from '../input/read-input.ts'

/** Largest configuration that is read, in bytes. */
const MAX_BYTES = 1_048_576

const texts = z.array(z.string().min(1)).min(1)

const workspace = z.strictObject({
  name: z.string(),
  apiKeyEnv: texts,
  baseUrl: z.string().optional(),
  schema: z.string().optional(),
  forms: z.union([z.literal('all'), texts]).optional(),
})

const settings = {
  deletions: z.boolean().optional(),
  deleted: z.enum(['mark', 'erase']).optional(),
  drafts: z.boolean().optional(),
  intervalMs: z.number().optional(),
  fullEveryMs: z.number().optional(),
  concurrency: z.number().optional(),
  poolSize: z.number().optional(),
  transactionIdleMs: z.number().optional(),
  rateLimit: z.union([z.literal(false), z.strictObject({ perMinute: z.number() })]).optional(),
  queueSchema: z.string().optional(),
}

/** What a JSON file contains: no keys and no password. */
const JSON_FILE = z.strictObject({ workspaces: z.array(workspace).min(1), ...settings })

const hook = z.custom<(...values: unknown[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
)

/** What a module exports may also contain keys, which it reads itself, and functions. */
const MODULE = z.strictObject({
  workspaces: z.array(workspace.extend({ apiKeyEnv: texts.optional(), apiKeys: texts.optional() })).min(1),
  connectionString: z.string().optional(),
  onResponse: hook.optional(),
  ...settings,
})

/** Reads the configuration of a fleet, with the keys from the environment. @throws Failure exit 2 or 4 */
export async function readFleetConfig(context: Context, path: string): Promise<FleetOptions> {
  const isModule = /\.m?js$/.test(path)
  const given = isModule
    ? await importConfig(path)
    : (await readJsonInput(context.runtime, path, MAX_BYTES, 'a configuration of a fleet')).value
  const parsed = (isModule ? MODULE : JSON_FILE).safeParse(given)
  if (!parsed.success) throw configFailure(path, parsed.error.issues)
  const { workspaces, ...others } = parsed.data as z.infer<typeof MODULE>
  return {
    ...(others as Omit<FleetOptions, 'workspaces'>),
    workspaces: workspaces.map((one, index) => workspaceOf(context, one, `workspaces[${index}]`)),
  }
}

async function importConfig(path: string): Promise<unknown> {
  try {
    const { default: config } = (await import(pathToFileURL(resolve(path)).href)) as { default?: unknown }
    return config
  } catch (error) {
    throw usage(`cannot load ${path}: ${(error as Error).message}`)
  }
}

/** Names the member at fault, and never shows a value. */
function configFailure(path: string, issues: readonly z.core.$ZodIssue[]): Failure {
  const [issue] = issues
  const at = memberPath(issue?.path ?? [])
  if (issue?.code === 'unrecognized_keys') {
    const member = memberPath([...issue.path, issue.keys[0] ?? ''])
    return usage(`${path}: unknown member "${member}"`, 'see formwire sync --help')
  }
  const reason = (issue?.message ?? 'invalid').replace(/^Invalid input: /, '')
  return usage(`${path}: ${at === '' ? 'the configuration' : `"${at}"`} is invalid: ${reason}`)
}

const memberPath = (path: readonly PropertyKey[]): string =>
  path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`))
    .join('')

function workspaceOf(
  context: Context,
  { apiKeyEnv = [], apiKeys = [], baseUrl, ...others }: z.infer<typeof MODULE>['workspaces'][number],
  path: string,
): FleetWorkspace {
  const own = apiKeys.map((key, index) => checkKey(key, `${path}.apiKeys[${index}]`))
  const fromEnvironment = apiKeyEnv.map((name, index) => {
    const key = context.runtime.env[name]
    if (key === undefined || key === '')
      throw notAllowed(
        'no_key',
        `the environment variable ${name} is not set`,
        `${path}.apiKeyEnv[${index}] names it as the API key of workspace "${others.name}"`,
      )
    return checkKey(key, name)
  })
  const keys = [...own, ...fromEnvironment]
  for (const key of keys) context.hide(key)
  const url = baseUrl ?? context.baseUrl()
  const proxy = urlOf(url) !== undefined ? proxyOf(url, context.runtime.env) : undefined
  return { ...others, apiKeys: keys, baseUrl: url, transport: proxy && proxyTransport(proxy) }
}
