/** How an event was verified. */
export interface Verification {
  /** Index of the secret that matched: 0 for a single secret, may be higher during a rotation. */
  readonly secretIndex: number
  /** The signature that was verified, 64 hex digits. */
  readonly signature: string
}

class Returned {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the subclass then adds its private field to this object
    return object
  }
}

/**
 * Attaches a verification to an event as a private field, so that logging, comparing or queueing the event leaves it out.
 */
class Stamped extends Returned {
  #verification: Verification | undefined

  static stamp(event: object, verification: Verification): void {
    new Stamped(event).#verification = verification
  }

  static read(event: object): Verification | undefined {
    return #verification in event ? (event as Stamped).#verification : undefined
  }
}

const SHARED = Symbol.for('@formwire/webhook-verify.verification')

const shared = globalThis as { [SHARED]?: Pick<typeof Stamped, 'stamp' | 'read'> }
shared[SHARED] ??= Stamped
/** That of the copy which was loaded first: the one that dedupes an event may not be the one that verified it. */
const verifications = shared[SHARED]

/** Records how an event was verified. */
export function rememberVerification(event: object, verification: Verification): void {
  verifications.stamp(event, verification)
}

/**
 * Returns which secret matched an event, and the signature. Returns `undefined` for anything but the object that the
 * verifier returned, such as a copy of an event or an event from a queue.
 */
export function verificationOf(event: object): Verification | undefined {
  return verifications.read(event)
}
