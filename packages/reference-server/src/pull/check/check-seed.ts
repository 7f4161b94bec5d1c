import type { Seed, SeedForm } from '../../seed/format.ts'
import type { PullClient } from '../client.ts'
import type { PullStore } from '../lines.ts'
import { readWorkspace } from '../read.ts'
import { resolvePullOptions } from '../settings.ts'
import { FormTally } from '../tally.ts'
import { driftOf, type SeedDrift } from './drift.ts'
import { personalTexts } from './personal-texts.ts'
import { TextIndex } from './text-index.ts'

export type { SeedDrift } from './drift.ts'

/** Where an original text of the service is still in a seed. Never the text. */
export interface SeedLeak {
  form: string
  response: number
  /** Id of the question of the original, `email`, or a member of `meta`. */
  question: string
}

/** What a seed has, and how it compares with its service. */
export interface SeedCheck {
  forms: number
  responses: number
  leaks: SeedLeak[]
  drift: SeedDrift[]
}

/** Leaks that are reported, at most. */
const MAX_LEAKS = 10_000

/**
 * Loads a seed and, with a client, reads its forms from the service: searches the seed for original texts of eight characters or more, and compares
 * forms and questions.
 * @throws SeedError for an invalid seed. The error of the client
 */
export async function checkSeed(
  value: unknown,
  client?: PullClient,
  options: { signal?: AbortSignal; onProgress?: (progress: { read: number; total: number }) => void } = {},
): Promise<SeedCheck> {
  const { createReferenceServer } = await import('../../server.ts')
  const server = createReferenceServer({ seed: value as Seed })
  await server.ready
  await server.close()
  const seed = value as Seed
  const forms = seed.workspaces.flatMap((workspace) => workspace.forms ?? [])
  const responses = forms.reduce((sum, form) => sum + (form.responses?.length ?? 0), 0)
  const compared = client ? await compare(seed, forms, client, options) : { leaks: [], drift: [] }
  return { forms: forms.length, responses, ...compared }
}

async function compare(
  { source }: Seed,
  forms: readonly SeedForm[],
  client: PullClient,
  options: Parameters<typeof checkSeed>[2],
): Promise<Pick<SeedCheck, 'leaks' | 'drift'>> {
  const index = new TextIndex(textsOf(forms))
  const kept = new Set(source?.kept)
  const leaks: SeedLeak[] = []
  const { since, limit, drafts = false } = source ?? {}
  const known = new Map<string, KnownForm>()
  for (const form of forms) if (form.id !== undefined) known.set(form.id, knownForm(form, limit))
  if (known.size === 0) return { leaks: [], drift: [] }
  const search: PullStore = {
    async add(line) {
      if (!('rows' in line)) return 0
      const { first, tally } = known.get(line.form) ?? { first: 0, tally: new FormTally() }
      for (const row of line.rows) {
        if (row.id >= first) tally.add(row)
        for (const { question, text } of personalTexts(row, ({ type }) => String(type))) {
          if (leaks.length === MAX_LEAKS || kept.has(`${line.form}.${question}`) || !index.contains(text))
            continue
          leaks.push({ form: line.form, response: row.id, question })
        }
      }
      return 0
    },
    read: () => Promise.reject(new Error('nothing is stored')),
    async *earlier() {},
  }
  const settings = resolvePullOptions({
    baseUrl: source?.base_url ?? '',
    forms: [...known.keys()],
    scrub: false,
    drafts,
    ...(since !== undefined && { since }),
    ...options,
  })
  const read = await readWorkspace(client, search, settings).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
  const found = new Map(read?.forms.map(({ form }) => [form.id, form]))
  const drift = [...known].flatMap(([id, { form, tally }]): SeedDrift[] => {
    const now = found.get(id)
    return now
      ? driftOf({ ...form, id }, now, tally)
      : [{ form: id, question: null, kind: 'form_missing', what: null }]
  })
  return { leaks: unique(leaks), drift }
}

/** A form of the seed, a tally of its responses now, and the id from which on they count. */
interface KnownForm {
  form: SeedForm
  first: number
  tally: FormTally
}

/** With a limit, responses before those of the seed show nothing that has changed. */
function knownForm(form: SeedForm, limit: number | undefined): KnownForm {
  const ids = (form.responses ?? []).map(({ id = 0 }) => id)
  const first =
    limit === undefined ? 0 : ids.reduce((least, id) => Math.min(least, id), Number.MAX_SAFE_INTEGER)
  return { form, first, tally: new FormTally() }
}

/** Whether none of the forms can be read. */
const isMissing = (error: unknown): boolean => {
  const { status, code } = Object(error) as { status?: unknown; code?: unknown }
  return status === 404 || code === 'no_forms'
}

function* textsOf(forms: readonly SeedForm[]): Generator<string> {
  for (const { questions = [], responses = [] } of forms) {
    const types = new Map(questions.map(({ id, type }) => [id, type as string]))
    const typeOf = ({ question_id, type }: { question_id: string; type?: string }): string =>
      type ?? types.get(question_id) ?? ''
    for (const response of responses) {
      for (const { text } of personalTexts(response, typeOf)) yield text
      // The text of a choice ends with its other text.
      for (const { value, text } of response.answers)
        if (text !== undefined && (value as { other?: unknown }).other != null) yield text
    }
  }
}

function unique(leaks: readonly SeedLeak[]): SeedLeak[] {
  const byPlace = new Map(leaks.map((leak) => [`${leak.form} ${leak.response} ${leak.question}`, leak]))
  return [...byPlace.values()]
}
