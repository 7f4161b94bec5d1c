import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, unlinkSync } from 'node:fs'
import { SECRET_PREFIX } from '@formwire/contract'
import { writeWholeSync } from '@formwire/internal/files'
import type { Context } from '../context.ts'
import { fileFailure, usage } from '../failure.ts'
import { readSecretLine } from '../input/secret-input.ts'
import type { ListenOptions } from './listen-options.ts'

/** Milliseconds to wait for a piped secret without `--secret-stdin`: long enough for a password manager. */
const STDIN_TIMEOUT_MS = 5_000
const PROMPT = 'Endpoint secret: '

/**
 * Returns the endpoint's secret from FORMWIRE_WEBHOOK_SECRET or the first line of stdin. With `--secret-stdin`, only from
 * stdin. `otherwise` is added to the hint. @throws Failure exit 2 without a secret
 */
export async function readSecret(context: Context, fromStdin: boolean, otherwise = ''): Promise<string> {
  return (await givenSecret(context, fromStdin)) ?? (await secretOfPipe(context)) ?? noSecret(otherwise)
}

/** @throws Failure exit 2 */
export function noSecret(otherwise = ''): never {
  throw usage(
    'no endpoint secret',
    `set FORMWIRE_WEBHOOK_SECRET, or pass the secret on stdin with --secret-stdin${otherwise}`,
  )
}

/**
 * Returns the secret that the user has chosen: with `--secret-stdin` the first line of stdin, else FORMWIRE_WEBHOOK_SECRET,
 * if any. @throws Failure exit 2 if stdin has none
 */
export async function givenSecret(context: Context, fromStdin: boolean): Promise<string | undefined> {
  if (!fromStdin) return accepted(context, context.runtime.env.FORMWIRE_WEBHOOK_SECRET)
  const secret = accepted(context, await readSecretLine(context.runtime, PROMPT))
  if (secret === undefined)
    throw usage('no endpoint secret on stdin', 'pass it as the first line, or set FORMWIRE_WEBHOOK_SECRET')
  return secret
}

async function secretOfPipe(context: Context): Promise<string | undefined> {
  const { runtime } = context
  if (runtime.stdin.isTTY === true) return undefined
  const wait = {
    ms: STDIN_TIMEOUT_MS,
    sleep: (ms: number, signal: AbortSignal) => runtime.clock.sleep(ms, signal),
  }
  return accepted(context, await readSecretLine(runtime, PROMPT, wait))
}

function accepted(context: Context, text: string | undefined): string | undefined {
  const secret = text?.trim() ?? ''
  if (secret === '') return undefined
  context.hide(secret)
  if (!secret.startsWith(SECRET_PREFIX))
    context.output.note(`the secret does not start with ${SECRET_PREFIX}; check that it is complete`)
  return secret
}

/** The secrets of a run of `listen`: what deliveries are verified with, and what the handler verifies with. */
export interface SessionSecret {
  /** Secret of deliveries that reach the receiver, if it is known before endpoints are created. */
  endpoint: string | undefined
  /** Signs forwarded deliveries. Undefined: they keep their signature. */
  signWith: string | undefined
  /** Whether the handler's secret exists only in this run, so that the user must be given it. */
  temporary: boolean
}

/**
 * Returns the secrets of a run. With a secret of the user, everything is signed with it. Several forms, or a poll, need one
 * that is generated; a single form uses the secret of its endpoint. @throws Failure exit 2 without --form and a secret
 */
export async function sessionSecret(
  context: Context,
  { form: forms = [], poll, secretStdin = false }: ListenOptions,
): Promise<SessionSecret> {
  if (forms.length === 0) {
    const endpoint = await readSecret(
      context,
      secretStdin,
      '; to listen to a temporary endpoint, add --form FORM',
    )
    return { endpoint, signWith: undefined, temporary: false }
  }
  const given = await givenSecret(context, secretStdin)
  const generated = given === undefined && (poll || forms.length > 1) ? newSecret(context) : undefined
  return { endpoint: undefined, signWith: given ?? generated, temporary: given === undefined }
}

/** Returns a secret for one run. */
function newSecret(context: Context): string {
  const secret = `${SECRET_PREFIX}${randomBytes(24).toString('hex')}`
  context.hide(secret)
  return secret
}

/** Returns where the handler finds its secret, for the advice on a refused signature. */
export function secretOrigin(
  { temporary }: SessionSecret,
  { form, secretFile, secretStdin }: ListenOptions,
  hasCommand: boolean,
): string {
  if (secretFile !== undefined) return `the secret in ${secretFile}`
  if (hasCommand) return 'FORMWIRE_WEBHOOK_SECRET, which listen sets for the command'
  if (temporary) return 'the secret that listen printed at startup'
  if (form === undefined) return 'the secret of this endpoint, including whsec_'
  return secretStdin ? 'the secret that listen read from stdin' : 'the FORMWIRE_WEBHOOK_SECRET of listen'
}

/**
 * Writes the secret, without a line end, to a file that only its owner can read, replacing what is there, and removes the
 * file when the command ends, unless another program has replaced it. Announces the path.
 * @throws Failure exit 2 if the file cannot be written
 */
export function writeSecretFile(context: Context, path: string, secret: string): void {
  const { output } = context
  const replaces = existsSync(path)
  try {
    // A new file, so that the mode of an existing one does not apply.
    writeWholeSync(path, secret)
  } catch (error) {
    throw fileFailure(`write the secret to ${path}`, error)
  }
  const removed = 'it is removed on exit'
  if (replaces)
    output.announce('replaced', `replaced ${path} with the webhook secret; ${removed}`, { file: path })
  // The listening event has the path.
  else if (!output.json) output.announce('secret_file', `wrote the webhook secret to ${path}; ${removed}`)
  const remove = (): void => {
    try {
      if (readFileSync(path, 'utf8') === secret) unlinkSync(path)
    } catch {
      // Already removed.
    }
  }
  context.onExit(remove, remove)
}
