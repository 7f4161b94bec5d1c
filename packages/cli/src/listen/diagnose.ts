import { tryVerifyWebhook, type WebhookVerificationError } from '@formwire/webhook-verify'
import type { RawDelivery } from './receiver.ts'

/** Context besides the request, to distinguish a wrong secret from an altered body. */
export interface Clues {
  /** Secrets of the endpoints. */
  secret: string[]
  /** Milliseconds since the epoch on the sender's clock. */
  now: number
  /** Whether an earlier delivery was verified with the same secret. */
  secretProven: boolean
  /** The body in the server's log, if available. */
  sentBody: Buffer | undefined
}

/** Why a delivery was refused. */
export interface Problem {
  code: string
  message: string
  hint: string
}

/** Returns the most likely cause of a verification error. */
export function diagnose(error: WebhookVerificationError, delivery: RawDelivery, clues: Clues): Problem {
  const { code, message, hint } = error
  if (code !== 'no_match') return { code, message, hint: hint + clockHint(code) }
  if (clues.sentBody && !clues.sentBody.equals(delivery.body)) {
    return {
      code: 'altered_body',
      message: `The body was altered in transit: the server sent ${clues.sentBody.length} bytes, and ${delivery.body.length} different bytes arrived.`,
      hint: 'Look for a proxy between server and receiver that rewrites bodies, for example by re-serializing JSON.',
    }
  }
  if (clues.sentBody) {
    return {
      code: 'wrong_secret',
      message: 'The body is unchanged, so the secret is wrong.',
      hint: SECRET_HINT,
    }
  }
  if (reserialised(delivery, clues)) {
    return {
      code: 'altered_body',
      message: 'The body was altered in transit: it verifies after re-serializing the JSON compactly.',
      hint: 'Look for a proxy or body parser that re-serializes the JSON before it is verified.',
    }
  }
  return clues.secretProven
    ? {
        code: 'altered_body',
        message:
          'The signature does not match, although earlier deliveries matched this secret: the body or the timestamp was altered, or the secret was rotated.',
        hint,
      }
    : {
        code: 'wrong_secret',
        message: 'The signature does not match: the secret is wrong, or the body was altered.',
        hint: SECRET_HINT,
      }
}

const SECRET_HINT =
  'Use the secret of this endpoint, including whsec_. Rotating the secret in the app invalidates the old one immediately.'

function clockHint(code: string): string {
  if (code !== 'timestamp_too_old' && code !== 'timestamp_in_future') return ''
  return ' If a reference server with a manual clock sent it, set FORMWIRE_ADMIN_TOKEN, so that listen uses its clock.'
}

/** Whether the body verifies after parsing and compact serialization, which is the service's format. */
function reserialised({ rawHeaders, body }: RawDelivery, { secret, now }: Clues): boolean {
  try {
    const compact = JSON.stringify(JSON.parse(body.toString()))
    return tryVerifyWebhook({ secret, headers: rawHeaders, body: compact, now }).ok
  } catch {
    return false
  }
}
