/** What was found out while verifying, beside the event itself. */
export interface Verification {
  /** Which of the secrets matched: its index in the list, 0 for a single secret. Above 0 during a rotation. */
  readonly secretIndex: number
  /** The signature that was verified, 64 hex digits. */
  readonly signature: string
}

class Returned {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: what makes the subclass put its private field onto this object
    return object
  }
}

/**
 * Hangs a verification onto an event as a private field: no key of the event, so that logging, comparing or queueing an
 * event leaves it out. A property hidden from enumeration would do too, but making one costs five percent of a delivery.
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

/** Remembers how an event was verified. */
export function rememberVerification(event: object, verification: Verification): void {
  Stamped.stamp(event, verification)
}

/**
 * How an event was verified: which secret matched, and the signature. `undefined` for anything that the verifier did not
 * give itself, such as a copy of an event or one that came out of a queue.
 */
export function verificationOf(event: object): Verification | undefined {
  return Stamped.read(event)
}
