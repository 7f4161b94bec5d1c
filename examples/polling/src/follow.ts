import type { CheckpointStore, FormResponse, Formwire } from '@formwire/sdk'

/** Options of `follow`. */
export interface FollowOptions {
  formwire: Formwire
  formId: string
  /** Where progress is saved: a restart resumes from there. */
  checkpoint: CheckpointStore
  /** Called with each response, oldest first. The checkpoint moves past it only after this succeeds. */
  handle: (response: FormResponse) => Promise<void> | void
  /** Stops the loop. */
  signal: AbortSignal
  /** Milliseconds between two polls. @default 5_000 */
  intervalMs?: number
}

/** Passes every response of a form to `handle`: exactly once per run, at least once after a crash. */
export async function follow({
  formwire,
  formId,
  checkpoint,
  handle,
  signal,
  intervalMs,
}: FollowOptions): Promise<void> {
  const responses = formwire.responses.poll(formId, {
    checkpoint,
    signal,
    intervalMs,
    onPause: ({ error, waitMs }) => console.warn(`${error.message} Retrying in ${Math.round(waitMs)} ms.`),
    onGap: ({ since, oldest }) =>
      console.warn(`Responses between ${since} and ${oldest ?? 'now'} may have been missed.`),
  })
  for await (const response of responses) await handle(response)
}
