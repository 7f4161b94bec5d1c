import type { Seed, SeedForm } from '../../seed/format.ts'
import type { PullClient } from '../client.ts'
import type { PullStore } from '../lines.ts'
import { readWorkspace } from '../read.ts'
import { resolvePullOptions } from '../settings.ts'
import { FormTally } from '../tally.ts'
import { driftOf, type SeedDrift } from './drift.ts'
import { LeakSearch, type SeedLeak } from './leak-search.ts'

export type { SeedDrift } from './drift.ts'
export type { SeedLeak } from './leak-search.ts'

/** What a seed has, and how it compares with its service. */
export interface SeedCheck {
  forms: number
  /** Submitted ones: drafts are not counted. */
  responses: number
  leaks: SeedLeak[]
  drift: SeedDrift[]
}

/** Statuses of a service that does not show endpoints to a key. */
const NOT_SHOWN = new Set<unknown>([403, 404])

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
  const responses = forms.reduce((sum, form) => sum + submitted(form), 0)
  const compared = client ? await compare(seed, forms, client, options) : { leaks: [], drift: [] }
  return { forms: forms.length, responses, ...compared }
}

async function compare(
  seed: Seed,
  forms: readonly SeedForm[],
  client: PullClient,
  options: Parameters<typeof checkSeed>[2],
): Promise<Pick<SeedCheck, 'leaks' | 'drift'>> {
  const { source } = seed
  const search = new LeakSearch(seed)
  const { since, limit, drafts = false } = source ?? {}
  const known = new Map<string, KnownForm>()
  for (const form of forms) if (form.id !== undefined) known.set(form.id, knownForm(form, limit))
  if (known.size === 0) return { leaks: [], drift: [] }
  const store: PullStore = {
    async add(line) {
      if (line.kind === 'owner') search.owner(line.owner)
      if (!('rows' in line)) return 0
      const { first, tally } = known.get(line.form) ?? { first: 0, tally: new FormTally(line.form) }
      for (const row of line.rows) {
        if (row.id >= first) tally.add(row)
        search.row(line.form, row)
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
  const read = await readWorkspace(client, store, settings).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
  for (const { form, tally } of read?.forms ?? []) {
    search.form(form, tally)
    for (const url of await endpointUrls(client, form.id, options?.signal)) search.endpoint(form.id, url)
  }
  const found = new Map(read?.forms.map(({ form }) => [form.id, form]))
  const drift = [...known].flatMap(([id, { form, tally }]): SeedDrift[] => {
    const now = found.get(id)
    return now
      ? driftOf({ ...form, id }, now, tally)
      : [{ form: id, question: null, kind: 'form_missing', what: null }]
  })
  return { leaks: search.leaks(), drift }
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
  return { form, first, tally: new FormTally(form.id ?? '') }
}

/** Whether none of the forms can be read. */
const isMissing = (error: unknown): boolean => {
  const { status, code } = Object(error) as { status?: unknown; code?: unknown }
  return status === 404 || code === 'no_forms'
}

const submitted = ({ responses = [] }: SeedForm): number =>
  responses.filter(({ status }) => status !== 'in_progress').length

/** Returns the URLs of a form's endpoints; none if the key may not read them. */
async function endpointUrls(
  client: PullClient,
  formId: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const urls: string[] = []
  try {
    for await (const { url } of client.webhooks.list(formId, { signal })) urls.push(url)
  } catch (error) {
    if (!NOT_SHOWN.has((Object(error) as { status?: unknown }).status)) throw error
  }
  return urls
}
