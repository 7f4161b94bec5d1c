/** What a status means: it went well, something is still to come, it went wrong, or none of these. */
export type Tone = 'good' | 'wait' | 'bad' | 'calm'

/** The tones of all statuses, for the console and the command line. */
export const STATUS_TONES: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  published: 'good',
  active: 'good',
  healthy: 'good',
  submitted: 'good',
  verified: 'good',
  pending: 'wait',
  in_progress: 'wait',
  paused: 'wait',
  unpublished: 'wait',
  unsaved: 'wait',
  failed: 'bad',
  failing: 'bad',
  trashed: 'bad',
  revoked: 'bad',
  draft: 'calm',
  closed: 'calm',
  archived: 'calm',
}
