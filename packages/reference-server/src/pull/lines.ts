import type {
  SeedAnswer,
  SeedForm,
  SeedResponse,
  SeedUser,
  SeedWebhook,
  SeedWorkspace,
} from '../seed/format.ts'

/** An answer as pulled: with its title and the name of its type, until the questions of the form are known. */
export interface PulledAnswer extends SeedAnswer {
  title: string
  type: string
}

/** A response as pulled. Of an answer that was changed, `text` is missing if it can only be written with the labels of the question. */
export interface PulledResponse extends Omit<SeedResponse, 'answers'> {
  id: number
  answers: PulledAnswer[]
}

/** A form without its questions and responses. */
export interface PulledForm extends Omit<SeedForm, 'questions' | 'responses' | 'webhooks'> {
  id: string
  /** As the service counted them when the form was read. */
  response_count: number
  unknown: Unknown[]
}

/** The user and the workspace of the key. */
export interface PulledOwner {
  user: SeedUser & { id: number }
  workspace: Omit<SeedWorkspace, 'forms'> & { id: number }
}

/** What is collected of a question, a form or a response that the seed format does not have. */
export interface Unknown {
  /** Id of the question, or name of the member of the form or response; `user.email` and the like for the owner of the key. */
  id: string
  why:
    | 'unknown_type'
    | 'type_changed'
    | 'unexpected_value'
    | 'unexpected_member'
    | 'unusable_id'
    | 'unusable_choice'
    | 'too_many'
    | 'changed'
    | 'unanswered'
}

/**
 * What a pull reads, in the order in which it reads it. An interrupted pull continues after its last line: everything else is
 * derived from the lines.
 */
export type PullLine =
  | { kind: 'owner'; owner: PulledOwner }
  /** Again at the start of each further run that has forms to read. */
  | { kind: 'forms'; forms: PulledForm[]; missing: string[] }
  /** The service does not show a form any more. */
  | { kind: 'gone'; form: string }
  /** Newest first. `position` is the instant of the last one, at full precision, with the ids of this line at that instant. */
  | {
      kind: 'rows'
      form: string
      rows: PulledResponse[]
      unknown: Unknown[]
      position: { instant: string; ids: number[] }
      /** Number of responses in the list when it was first read. */
      listed: number
    }
  | { kind: 'drafts'; form: string; rows: PulledResponse[]; unknown: Unknown[] }
  /** `counted`: what the form counts, where the list has another number of responses. */
  | { kind: 'end'; form: string; webhooks: SeedWebhook[]; unknown: Unknown[]; counted: number | null }

/** Where lines are kept until the seed is written: in memory, or in a file. */
export interface PullStore {
  /** Returns a handle for `read`. */
  add(line: PullLine): Promise<number>
  read(handle: number): Promise<PullLine>
  /** Yields what an earlier run has added. */
  earlier(): AsyncIterable<{ line: PullLine; handle: number }>
}

/** Returns a store in memory. */
export function memoryStore(): PullStore {
  const lines: PullLine[] = []
  return {
    add: async (line) => lines.push(line) - 1,
    read: async (handle) => lines[handle] as PullLine,
    async *earlier() {},
  }
}
