/** One reason why a delivery is where it is. */
export interface Reason {
  /** Stable: the error of the attempt, or one of `paused`, `wrong_secret` … */
  name: string
  /** What happened, in one or two sentences. */
  cause: string
  /** What to do about it, the most likely first. */
  change: readonly string[]
  /** Sections of the documentation, for the tool `docs`. */
  docs: readonly string[]
}

/** Sections that several reasons name. */
export const DOCS = {
  retries: 'docs/explanation/webhook-delivery.md#retries',
  signature: 'docs/explanation/webhook-delivery.md#signature',
  success: 'docs/reference/rules.md#dlv-05',
  mismatch: 'docs/how-to/signature-mismatch.md',
  rotation: 'docs/how-to/rotate-secret.md',
  receive: 'packages/webhook-verify/README.md#receive',
} as const

/** What to do about responses that are never sent. */
export const catchUp = (notSent: number): string[] =>
  notSent === 0
    ? []
    : [
        `Resuming does not send what was submitted meanwhile (${notSent}), and it cannot be replayed: let the program read it from the API.`,
      ]
