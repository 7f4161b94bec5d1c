import { randomBytes } from 'node:crypto'
import { SECRET_PREFIX } from '@formwire/contract'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'
import { readSecretLine } from '../input/secret-input.ts'

/** Milliseconds to wait for a piped secret without `--secret-stdin`: long enough for a password manager. */
const STDIN_TIMEOUT_MS = 5_000

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

/** Returns a secret for one run. */
export function newSecret(context: Context): string {
  const secret = `${SECRET_PREFIX}${randomBytes(24).toString('hex')}`
  context.hide(secret)
  return secret
}

const PROMPT = 'Endpoint secret: '

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
