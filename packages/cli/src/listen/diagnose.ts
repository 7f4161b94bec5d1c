import { tryVerifyWebhook, type WebhookVerificationError } from '@formwire/webhook-verify'
import type { RawDelivery } from './receiver.ts'

/** What is known besides the request itself, to tell a wrong secret from an altered body. */
export interface Clues {
  secret: string
  /** Milliseconds since the epoch on the sender's clock. */
  now: number
  /** Whether an earlier delivery fitted the same secret. */
  secretProven: boolean
  /** The bytes that the server's log says it sent, if it can be read. */
  sentBody: Buffer | undefined
}

/** Why a delivery was refused, as exactly as can be told. */
export interface Problem {
  code: string
  message: string
  hint: string
}

/** Turns the verifier's refusal into what is most likely behind it. */
export function diagnose(error: WebhookVerificationError, delivery: RawDelivery, clues: Clues): Problem {
  const { code, message, hint } = error
  if (code !== 'no_match') return { code, message, hint: hint + clockHint(code) }
  if (clues.sentBody && !clues.sentBody.equals(delivery.body)) {
    return {
      code: 'altered_body',
      message: `The body was altered on the way: the server sent ${clues.sentBody.length} bytes, ${delivery.body.length} other bytes came in.`,
      hint: 'Something between server and receiver rewrites bodies, such as a proxy that parses and prints JSON again.',
    }
  }
  if (clues.sentBody) {
    return {
      code: 'wrong_secret',
      message: 'The body is as the server sent it: the secret is wrong.',
      hint: SECRET_HINT,
    }
  }
  if (reserialised(delivery, clues)) {
    return {
      code: 'altered_body',
      message: 'The body was altered on the way: it fits once its JSON is printed compactly again.',
      hint: 'Something between server and receiver parses the body and prints it again.',
    }
  }
  return clues.secretProven
    ? {
        code: 'altered_body',
        message:
          'The signature does not fit, though earlier deliveries fitted this secret: the body or the timestamp was altered, or the secret was replaced since.',
        hint,
      }
    : {
        code: 'wrong_secret',
        message: 'The signature does not fit: the secret is wrong, or the body was altered.',
        hint: SECRET_HINT,
      }
}

const SECRET_HINT =
  'Give the secret of this very endpoint, whsec_ included. "New secret" in the app makes the old one invalid at once.'

function clockHint(code: string): string {
  if (code !== 'timestamp_too_old' && code !== 'timestamp_in_future') return ''
  return ' With a reference server on a manual clock, set FORMWIRE_ADMIN_TOKEN: listen then goes by its clock.'
}

/** Whether the body fits once parsed and printed compactly, as the service prints it. */
function reserialised({ rawHeaders, body }: RawDelivery, { secret, now }: Clues): boolean {
  try {
    const compact = JSON.stringify(JSON.parse(body.toString()))
    return tryVerifyWebhook({ secret, headers: rawHeaders, body: compact, now }).ok
  } catch {
    return false
  }
}
