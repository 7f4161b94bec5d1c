import { nearestName } from '@formwire/internal/nearest-name'
import type { Seed, SeedForm, SeedResponse, SeedWorkspace } from '../seed/format.ts'
import type { PullClient } from './client.ts'
import { Finisher } from './finish.ts'
import { memoryStore, type PullStore } from './lines.ts'
import { PullError } from './pull-error.ts'
import { type Read, readWorkspace } from './read.ts'
import { type PullReport, reportOf } from './report.ts'
import { type PullOptions, type PullSettings, resolvePullOptions } from './settings.ts'

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
  const settings = resolvePullOptions(options)
  const read = await readWorkspace(client, store, settings)
  refuseUnmatched(read, settings)
  const finisher = new Finisher(read, store, settings)
  return {
    missing: read.missing,
    report: reportOf(read, settings),
    json: () => jsonOf(finisher),
    seed: () => seedOf(finisher),
  }
}

/** A misspelt question would be treated as if it was not named. Of a form that is missing, this is said instead. */
function refuseUnmatched(read: Read, settings: PullSettings): void {
  const problems = (['keep', 'replace'] as const).flatMap((option) =>
    [...settings[option]].flatMap((name) => {
      const problem = problemOf(name, read, settings)
      return problem === undefined ? [] : [`${settings.nameOfOption(option)}: ${problem}`]
    }),
  )
  if (problems.length > 0) throw new PullError('pull_option', problems.join('; '))
}

const QUESTIONS_LISTED = 20

/** Returns what is wrong with a question to keep or replace, and the question that is probably meant. */
function problemOf(name: string, { forms, missing }: Read, { drafts }: PullSettings): string | undefined {
  const dot = name.indexOf('.')
  const [formId, question] = [name.slice(0, dot), name.slice(dot + 1)]
  const pulled = forms.find(({ form }) => form.id === formId)
  if (!pulled)
    return missing.includes(formId) ? undefined : `"${name}" is of form ${formId}, which was not pulled`
  const known = [...pulled.tally.questions().keys()]
  if (known.includes(question)) return undefined
  const counted = `${pulled.count} response${pulled.count === 1 ? '' : 's'}${drafts ? ' and the drafts' : ''}`
  const nearest = nearestName(question, known)
  const others =
    known.length === 0 ? 'they show no question' : `known: ${known.slice(0, QUESTIONS_LISTED).join(', ')}`
  const hint = nearest === undefined ? others : `did you mean "${formId}.${nearest}"?`
  return `no question "${question}" in the ${counted} pulled from form ${formId} (${hint})`
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
