import type { CheckpointStore, FormResponse, Formwire } from '@formwire/sdk'

/** What following a form needs. */
export interface FollowOptions {
  formwire: Formwire
  formId: string
  /** Where progress is kept: a restart goes on from there. */
  checkpoint: CheckpointStore
  /** Called for each response, oldest first; the checkpoint moves past it only when this has ended well. */
  handle: (response: FormResponse) => Promise<void> | void
  /** Ends the loop. */
  signal: AbortSignal
  /** @default 5_000 */
  intervalMs?: number
}

/** Hands every response of a form to `handle`: exactly once in one run, at least once over a crash. */
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
    onPause: ({ error, waitMs }) =>
      console.warn(`${error.message} Trying again in ${Math.round(waitMs)} ms.`),
    onGap: ({ since, oldest }) =>
      console.warn(`Responses between ${since} and ${oldest ?? 'now'} may be gone.`),
  })
  for await (const response of responses) await handle(response)
}
