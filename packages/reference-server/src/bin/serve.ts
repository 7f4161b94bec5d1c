import { type Given, given } from '@formwire/internal/given'
import { isObject } from '@formwire/internal/json'
import { ServiceError } from '../domain/service-error.ts'
import { OptionError } from '../known-names.ts'
import type { ReferenceServerOptions } from '../options.ts'
import type { Seed } from '../seed/format.ts'
import { createReferenceServer, type ReferenceServer } from '../server.ts'
import { NO_LIMITS_PER_MINUTE } from '../settings.ts'
import type { Unspecified } from '../unspecified.ts'
import { type ServerFlags, UsageError } from './arguments.ts'
import { openStateFile, type StateFile } from './state-file.ts'

/** A server that listens. */
export interface Serving {
  readonly server: ReferenceServer
  readonly url: string
  /** Writes the state file, if there is one. @throws Error that names the file */
  saveState(): void
}

/** A seed that is in memory already, and the behaviour of its service. */
export interface PulledSeed {
  readonly seed: Seed
  readonly unspecified: Given<Unspecified> | undefined
}

/** Starts a server. @throws UsageError for a file or value that cannot be used */
export async function serve(flags: ServerFlags, pulled?: PulledSeed): Promise<Serving> {
  const file = flags.state === undefined ? undefined : openStateFile(flags.state)
  const server = createServer(
    {
      ...(await optionsOf(flags)),
      ...(pulled
        ? given({ seed: pulled.seed, unspecified: pulled.unspecified })
        : await startOf(flags, file)),
    },
    flags,
  )
  try {
    await server.ready
    file?.restrict()
  } catch (error) {
    await server.close()
    if (error instanceof UsageError) throw error
    throw new UsageError(
      pulled ? (error as Error).message : `--seed ${flags.seed}: ${(error as Error).message}`,
      'seed_file',
    )
  }
  try {
    const { url } = await server.listen({ port: flags.port, host: flags.host })
    return { server, url, saveState: () => file?.save(server.app.snapshot.take()) }
  } catch (error) {
    await server.close()
    throw new UsageError(
      listenMessage(error, flags),
      (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'port_in_use' : 'cannot_listen',
    )
  }
}

function createServer(options: ReferenceServerOptions, { state }: ServerFlags): ReferenceServer {
  try {
    return createReferenceServer(options)
  } catch (error) {
    if (!(error instanceof OptionError || error instanceof TypeError)) throw error
    if (!(error.cause instanceof ServiceError)) throw new UsageError(error.message)
    throw new UsageError(
      `--state ${state}: ${error.cause.message} The file is unchanged; move it away to start from --seed.`,
      'state_file',
    )
  }
}

/** Returns the state file's content, or the seed. */
async function startOf(
  { seed }: ServerFlags,
  file: StateFile | undefined,
): Promise<Pick<ReferenceServerOptions, 'seed' | 'snapshot'>> {
  if (file?.snapshot) return { snapshot: file.snapshot }
  if (seed === 'demo' || seed === 'empty') return { seed }
  return { seed: (await readJson('seed', seed)) as NonNullable<ReferenceServerOptions['seed']> }
}

async function optionsOf(flags: ServerFlags): Promise<ReferenceServerOptions> {
  return {
    clock: flags.clock,
    now: flags.now,
    addressRules: flags.addressRules,
    adminToken: flags.adminToken,
    deliveryTimeoutMs: flags.deliveryTimeoutMs,
    allowedHosts: flags.allowedHosts,
    publicUrl: flags.publicUrl,
    unspecified: await unspecifiedOf(flags.unspecified),
    ...(flags.rateLimits === 'off' && { limits: NO_LIMITS_PER_MINUTE }),
    routes: Object.fromEntries(flags.routes),
  }
}

async function unspecifiedOf(choice: string): Promise<NonNullable<ReferenceServerOptions['unspecified']>> {
  if (choice === 'default' || choice.startsWith('random:')) return choice as 'default'
  const chosen = await readJson('unspecified', choice)
  if (isObject(chosen)) return chosen
  throw new UsageError(`--unspecified ${choice}: the file must contain one JSON object.`, 'unspecified_file')
}

async function readJson(flag: 'seed' | 'unspecified', path: string): Promise<unknown> {
  const { JsonFileError, readJsonFile } = await import('@formwire/internal/json-file')
  const refusal = (problem: string) => new UsageError(`--${flag} ${path}: ${problem}.`, `${flag}_file`)
  let content: unknown
  try {
    content = await readJsonFile(path)
  } catch (error) {
    if (error instanceof JsonFileError) throw refusal(error.message)
    throw refusal(`cannot read the file (${(error as NodeJS.ErrnoException).code})`)
  }
  if (content === undefined) throw refusal('the file is not valid JSON')
  return content
}

function listenMessage(error: unknown, { host, port }: ServerFlags): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is already in use; choose another with --port (0 = any free port).`
  if (code === 'EACCES')
    return `Port ${port} requires elevated privileges; choose a port above 1023 with --port.`
  return `Cannot listen on ${host}:${port}: ${message}`
}
