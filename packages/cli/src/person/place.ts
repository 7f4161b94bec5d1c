import type { ResponseIds } from '@formwire/sync'

/** A response, row or record of a person. Does not contain what it is found by. */
export interface Found {
  /** Null if the record does not name its form or response. */
  form_id: string | null
  id: number | null
  /** Where the email address is: `email`, and ids of questions; `id` if it was found by the ids of its response alone. */
  columns: readonly string[]
  [fact: string]: unknown
}

/** Something that may hold what a person has submitted. A further one needs only a file and a line in `run.ts`. */
export interface Place {
  /** Name in the report. */
  readonly name: string
  /** What one item of it is called. */
  readonly noun: string
  /** Searches it. Calls `add` for each item as it is found. */
  search(add: (found: Found) => void): Promise<void>
  /** Searches copies that may lack the address, of responses that were found anywhere. Missing if no copy lacks it. */
  searchIds?(responses: readonly ResponseIds[], add: (found: Found) => void): Promise<void>
  /** Erases what was found. Calls `done` for each erased item, so that a failure leaves a true count. */
  erase(found: readonly Found[], done: (count: number) => void): Promise<void>
  /** What stays there, and why. Known once it was searched or erased. */
  remaining?(): string[]
}
