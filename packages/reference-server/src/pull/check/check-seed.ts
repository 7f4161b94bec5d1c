import type { Seed, SeedForm } from '../../seed/format.ts'
import { isNotShown, type PullClient } from '../client.ts'
import type { PullStore } from '../lines.ts'
import { PER_PAGE, readWorkspace } from '../read.ts'
import { resolvePullOptions } from '../settings.ts'
import { checkForm } from '../shapes.ts'
import { Coverage } from './coverage.ts'
import { driftOf, type SeedDrift } from './drift.ts'
import { LeakSearch, type SeedLeak } from './leak-search.ts'

export type { SeedDrift } from './drift.ts'
export type { SeedLeak } from './leak-search.ts'

/** What a seed has, and how it compares with its service. */
export interface SeedCheck {
  forms: number
  /** Submitted ones: drafts are not counted. */
  responses: number
  /** Submitted responses of the service that were read: as many as the seed covers, and those that are newer. */
  covered: number
  leaks: SeedLeak[]
  drift: SeedDrift[]
}

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
  const compared = client ? await compare(seed, forms, client, options) : { covered: 0, leaks: [], drift: [] }
  return { forms: forms.length, responses, ...compared }
}

async function compare(
  seed: Seed,
  forms: readonly SeedForm[],
  client: PullClient,
  options: Parameters<typeof checkSeed>[2],
): Promise<Pick<SeedCheck, 'covered' | 'leaks' | 'drift'>> {
  const { source } = seed
  const search = new LeakSearch(seed)
  const { drafts = false } = source ?? {}
  // Times that were moved are not those of the service.
  const since = source?.shifted ? undefined : source?.since
  const known = new Map<string, Coverage>()
  for (const form of forms) if (form.id !== undefined) known.set(form.id, new Coverage(form, source))
  if (known.size === 0) return { covered: 0, leaks: [], drift: [] }
  const store: PullStore = {
    async add(line) {
      if (line.kind === 'owner') search.owner(line.owner)
      if (!('rows' in line)) return 0
      for (const row of line.rows) {
        known.get(line.form)?.add(row)
        search.row(line.form, row)
      }
      return 0
    },
    // Lines are not kept.
    read: async () => ({ kind: 'forms', forms: [], missing: [] }),
    async *earlier() {},
  }
  const settings = {
    ...resolvePullOptions({
      baseUrl: source?.base_url ?? '',
      forms: [...known.keys()],
      scrub: false,
      drafts,
      ...(since !== undefined && { since }),
      ...options,
    }),
    isEnough: (id: string, status: 'submitted' | 'in_progress') => known.get(id)?.isEnough(status) ?? false,
  }
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
  if (source?.all) drift.push(...(await newForms(client, known, options?.signal)))
  const covered = read?.forms.reduce((sum, { count }) => sum + count, 0) ?? 0
  return { covered, leaks: search.leaks(), drift }
}

/** Returns the forms of the workspace that the seed does not have. */
async function newForms(
  client: PullClient,
  known: ReadonlyMap<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<SeedDrift[]> {
  const found: SeedDrift[] = []
  for await (const form of client.forms.list({ per_page: PER_PAGE }, { signal })) {
    checkForm(form)
    if (!known.has(form.id)) found.push({ form: form.id, question: null, kind: 'new_form', what: null })
  }
  return found
}

/** Whether none of the forms can be read. */
const isMissing = (error: unknown): boolean => {
  const { status, code, envelope } = Object(error) as { status?: unknown; code?: unknown; envelope?: unknown }
  return (status === 404 && envelope !== false) || code === 'no_forms'
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
    if (!isNotShown(error)) throw error
  }
  return urls
}
