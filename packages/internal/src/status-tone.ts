/** What a status means: it went well, something is still to come, it went wrong, or none of these. */
export type Tone = 'good' | 'wait' | 'bad' | 'calm'

const STATUSES: Readonly<Record<Tone, readonly string[]>> = {
  good: ['delivered', 'published', 'active', 'healthy', 'submitted', 'verified'],
  wait: ['pending', 'in_progress', 'paused', 'unpublished', 'unsaved'],
  bad: ['failed', 'failing', 'trashed', 'revoked'],
  calm: ['draft', 'closed', 'archived'],
}

/** Returns the tone of a status, the same in the console and on the command line; `undefined` for any other word. */
export const toneOf = (status: string): Tone | undefined =>
  (Object.keys(STATUSES) as Tone[]).find((tone) => STATUSES[tone].includes(status))
