import { SECRET_PREFIX } from '@formwire/contract'
import { readSecretLine } from '../commands/secret-input.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'

/** How long a pipe that was not announced may take: a password manager needs a moment, a pipe nobody writes to none. */
const STDIN_PATIENCE_MS = 5_000

/**
 * The endpoint's secret from FORMWIRE_WEBHOOK_SECRET or the first line of stdin; `--secret-stdin` means stdin.
 * @throws Failure exit 2 when there is none
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
          : { ms: STDIN_PATIENCE_MS, sleep: (ms, signal) => runtime.clock.sleep(ms, signal) },
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
  if (!secret.startsWith(SECRET_PREFIX)) context.output.note(`a secret usually begins ${SECRET_PREFIX}`)
  return secret
}
