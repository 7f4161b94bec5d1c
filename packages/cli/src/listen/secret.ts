import { SECRET_PREFIX } from '@formwire/contract'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'
import { readSecretLine } from '../input/secret-input.ts'

/** Milliseconds to wait for a piped secret without `--secret-stdin`: long enough for a password manager. */
const STDIN_TIMEOUT_MS = 5_000

/**
 * Returns the endpoint's secret from FORMWIRE_WEBHOOK_SECRET or the first line of stdin. With `--secret-stdin`, only from
 * stdin. @throws Failure exit 2 without a secret
 */
export async function readSecret(context: Context, fromStdin: boolean): Promise<string> {
  const { runtime } = context
  const fromEnvironment = runtime.env.FORMWIRE_WEBHOOK_SECRET?.trim() ?? ''
  if (!fromStdin && fromEnvironment !== '') return fromEnvironment
  const mayRead = fromStdin || runtime.stdin.isTTY !== true
  const line = mayRead
    ? await readSecretLine(
        runtime,
        'Endpoint secret: ',
        fromStdin
          ? undefined
          : { ms: STDIN_TIMEOUT_MS, sleep: (ms, signal) => runtime.clock.sleep(ms, signal) },
      )
    : undefined
  const secret = line?.trim() ?? ''
  if (secret === '') {
    throw usage(
      'no endpoint secret',
      'set FORMWIRE_WEBHOOK_SECRET, or pass the secret on stdin with --secret-stdin',
    )
  }
  context.hide(secret)
  if (!secret.startsWith(SECRET_PREFIX))
    context.output.note(`the secret does not start with ${SECRET_PREFIX}; check that it is complete`)
  return secret
}
