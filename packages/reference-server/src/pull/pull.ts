import type { Seed, SeedForm, SeedResponse, SeedWorkspace } from '../seed/format.ts'
import type { PullClient } from './client.ts'
import { Finisher } from './finish.ts'
import { memoryStore, type PullStore } from './lines.ts'
import { readWorkspace } from './read.ts'
import { type PullReport, reportOf } from './report.ts'
import { type PullOptions, resolvePullOptions } from './settings.ts'

/** A workspace that was read, to be written as a seed. */
export interface Pulled {
  /** Which forms the key cannot read. */
  readonly missing: readonly string[]
  readonly report: PullReport
  /** Yields the seed as JSON, in parts. Memory use does not depend on the number of responses. */
  json(): AsyncGenerator<string>
  /** Returns the seed. */
  seed(): Promise<Seed>
}

/**
 * Reads a workspace of a service with GET requests, replaces personal data, and returns it as a seed.
 * @param store keeps the responses until all are read; what it has from an earlier run is continued. @default memory
 * @throws PullError for an invalid option, a workspace without forms, or a response that cannot be represented. The error of the client
 */
export async function pullWorkspace(
  client: PullClient,
  options: PullOptions,
  store: PullStore = memoryStore(),
): Promise<Pulled> {
  const read = await readWorkspace(client, store, resolvePullOptions(options))
  const finisher = new Finisher(read)
  return {
    missing: read.missing,
    report: reportOf(read),
    json: () => jsonOf(finisher),
    seed: () => seedOf(finisher),
  }
}

async function* jsonOf(finisher: Finisher): AsyncGenerator<string> {
  const { workspace, ...head } = finisher.head()
  yield `${JSON.stringify(head).slice(0, -1)},"workspaces":[${JSON.stringify(workspace).slice(0, -1)},"forms":[`
  let beforeForm = '\n'
  for (const form of finisher.forms()) {
    const facts = JSON.stringify(finisher.form(form))
    yield `${beforeForm}${facts.slice(0, -1)},"responses":[`
    beforeForm = ',\n'
    let beforeRow = '\n'
    for await (const rows of finisher.responses(form)) {
      let text = ''
      for (const row of rows) {
        text += beforeRow + JSON.stringify(row)
        beforeRow = ',\n'
      }
      yield text
    }
    yield ']}'
  }
  yield ']}]}\n'
}

async function seedOf(finisher: Finisher): Promise<Seed> {
  const { workspace, ...head } = finisher.head()
  const forms: SeedForm[] = []
  for (const form of finisher.forms()) {
    const responses: SeedResponse[] = []
    for await (const rows of finisher.responses(form)) responses.push(...rows)
    forms.push({ ...finisher.form(form), responses })
  }
  return { ...head, workspaces: [{ ...(workspace as SeedWorkspace), forms }] }
}
