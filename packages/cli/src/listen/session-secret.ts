import type { Context } from '../context.ts'
import type { ListenOptions } from './options.ts'
import { givenSecret, newSecret, readSecret } from './secret.ts'
import { writeSecretFile } from './secret-file.ts'

/** The secrets of a run: what deliveries are verified with, and what the handler verifies with. */
export interface SessionSecret {
  /** Secret of deliveries that reach the receiver, if it is known before endpoints are created. */
  endpoint: string | undefined
  /** Signs forwarded deliveries. Undefined: they keep their signature. */
  signWith: string | undefined
  /** Whether the handler's secret exists only in this run, so that the user must be given it. */
  temporary: boolean
}

const OTHERWISE = '; to listen to a temporary endpoint, add --form FORM'

/**
 * Returns the secrets of a run. With a secret of the user, everything is signed with it. Several forms, or a poll, need one
 * that is generated; a single form uses the secret of its endpoint. @throws Failure exit 2 without --form and a secret
 */
export async function sessionSecret(context: Context, options: ListenOptions): Promise<SessionSecret> {
  const fromStdin = options.secretStdin === true
  const forms = options.form ?? []
  if (forms.length === 0)
    return {
      endpoint: await readSecret(context, fromStdin, OTHERWISE),
      signWith: undefined,
      temporary: false,
    }
  const given = await givenSecret(context, fromStdin)
  if (given !== undefined) return { endpoint: undefined, signWith: given, temporary: false }
  const generated = options.poll || forms.length > 1 ? newSecret(context) : undefined
  return { endpoint: undefined, signWith: generated, temporary: true }
}

/**
 * Gives the handler's secret to the user: in `--secret-file`, or once on stderr. Returns it if the `listening` event must
 * carry it. A command of the user gets it in its environment instead.
 */
export function handOver(
  context: Context,
  secret: string,
  how: { temporary: boolean; secretFile: string | undefined; hasCommand: boolean },
): string | undefined {
  if (how.secretFile !== undefined) writeSecretFile(context, how.secretFile, secret)
  return how.temporary && how.secretFile === undefined && !how.hasCommand ? secret : undefined
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
