import type { Form, FormResponse, KnownWorkspaceRole, Me } from '@formwire/contract'
import { LIMITS, WORKSPACE_ROLES } from '@formwire/contract'
import { newestFirst, PER_PAGE, Position, sortableInstant } from '@formwire/internal/newest-first'
import type { SeedWebhook } from '../seed/format.ts'
import type { PullClient } from './client.ts'
import { type Converted, convertForm, convertResponse } from './convert.ts'
import { IdSet } from './id-set.ts'
import { instantText } from './instants.ts'
import type { PulledForm, PulledOwner, PullLine, PullStore, Unknown } from './lines.ts'
import { instantOf, ListOrder } from './list-order.ts'
import { PullError } from './pull-error.ts'
import { Pseudonyms } from './scrub/pseudonyms.ts'
import { Scrubber } from './scrub/scrubber.ts'
import type { PullSettings } from './settings.ts'
import { checkForm, checkMe, checkRow, isUsableWebhook } from './shapes.ts'
import { FormTally } from './tally.ts'

/** A form whose responses have been read. */
export interface ReadForm {
  readonly form: PulledForm
  /** Number of submitted responses that were read. */
  readonly count: number
  /** Number of responses in the list when it was first read. */
  readonly listed: number
  readonly tally: FormTally
  /** Handles of the lines with responses, newest first. */
  readonly rows: number[]
  readonly drafts: number[]
  /** Drafts that were submitted while the form was read: left out, since they are among the responses. */
  readonly submittedDrafts: Set<number>
  webhooks: SeedWebhook[]
  /** What the form counts, where the list has another number of responses. */
  counted: number | null
}

/** Everything that was read. */
export interface Read {
  readonly owner: PulledOwner
  /** In the order of the list: most recently updated first. */
  readonly forms: readonly ReadForm[]
  /** Forms that the key cannot read. */
  readonly missing: readonly string[]
  readonly scrubber: Scrubber
  readonly pseudonyms: Pseudonyms
}

/** Where the reading of a form is. */
interface Progress extends ReadForm {
  count: number
  listed: number
  draftIds: Set<number>
  position: Position
  /** The instant of the first response that was read, in milliseconds; '' before. */
  newest: string
  isOver: boolean
}

/** Reads a workspace into a store: responses are scrubbed before they are stored. Continues what the store has from an earlier run. */
export async function readWorkspace(
  client: PullClient,
  store: PullStore,
  settings: PullSettings,
): Promise<Read> {
  const pseudonyms = new Pseudonyms(settings.key)
  const scrubber = new Scrubber(settings.scrub, pseudonyms, settings)
  const reading = new Reading(client, store, settings, scrubber)
  await reading.restore()
  const owner = await reading.owner()
  const { forms, missing } = await reading.forms()
  reading.report()
  for (const form of forms) await reading.form(form)
  return { owner, forms, missing, scrubber, pseudonyms }
}

const NO_ENDPOINTS = { webhooks: [], unknown: [] }

class Reading {
  readonly #client: PullClient
  readonly #store: PullStore
  readonly #settings: PullSettings
  readonly #scrubber: Scrubber
  readonly #call: { signal: AbortSignal | undefined }
  #owner: PulledOwner | undefined
  #forms: Map<string, Progress> | undefined
  #missing: string[] = []
  /** Ids of all responses and drafts that were read. */
  readonly #ids = new IdSet()

  constructor(client: PullClient, store: PullStore, settings: PullSettings, scrubber: Scrubber) {
    this.#client = client
    this.#store = store
    this.#settings = settings
    this.#scrubber = scrubber
    this.#call = { signal: settings.signal }
  }

  async restore(): Promise<void> {
    for await (const { line, handle } of this.#store.earlier()) this.#take(line, handle)
  }

  async #add(line: PullLine): Promise<void> {
    this.#take(line, await this.#store.add(line))
  }

  /** Brings the state up to date with a line. */
  #take(line: PullLine, handle: number): void {
    if (line.kind === 'owner') this.#owner = line.owner
    else if (line.kind === 'forms') {
      this.#missing = line.missing
      this.#forms = new Map(line.forms.map((form) => [form.id, progressOf(form)]))
    } else {
      const progress = this.#forms?.get(line.form)
      if (!progress) return
      if (line.kind === 'end') {
        progress.webhooks = line.webhooks
        progress.tally.addUnknown(line.unknown)
        progress.counted = line.counted
        progress.isOver = true
      } else this.#takeRows(progress, line, handle)
    }
  }

  #takeRows(progress: Progress, line: PullLine & { kind: 'rows' | 'drafts' }, handle: number): void {
    for (const row of line.rows) {
      progress.tally.add(row)
      this.#ids.add(row.id)
    }
    progress.tally.addUnknown(line.unknown)
    if (line.kind === 'drafts') {
      progress.drafts.push(handle)
      for (const { id } of line.rows) progress.draftIds.add(id)
      return
    }
    progress.rows.push(handle)
    progress.newest ||= sortableInstant(line.rows[0]?.submitted_at ?? null) ?? ''
    progress.count += line.rows.length
    progress.listed = line.listed
    for (const id of line.position.ids) progress.position.add(id, line.position.instant)
    if (progress.draftIds.size === 0) return
    for (const { id } of line.rows) if (progress.draftIds.has(id)) progress.submittedDrafts.add(id)
  }

  async owner(): Promise<PulledOwner> {
    if (!this.#owner) {
      const me = await this.#client.me(this.#call)
      await this.#add({ kind: 'owner', owner: this.#scrubber.owner(ownerOf(me)) })
    }
    return this.#owner as unknown as PulledOwner
  }

  async forms(): Promise<{ forms: Progress[]; missing: string[] }> {
    if (!this.#forms) {
      const { forms, missing } = await this.#list()
      const { shiftMs } = this.#settings
      await this.#add({ kind: 'forms', forms: forms.map((form) => convertForm(form, shiftMs)), missing })
    }
    return { forms: [...(this.#forms as unknown as Map<string, Progress>).values()], missing: this.#missing }
  }

  async #list(): Promise<{ forms: Form[]; missing: string[] }> {
    const { forms: wanted, requireForms } = this.#settings
    const forms: Form[] = []
    const missing: string[] = []
    if (wanted === 'all') {
      for await (const form of this.#client.forms.list({ per_page: PER_PAGE }, this.#call)) {
        checkForm(form)
        forms.push(form)
      }
      if (forms.length === 0) throw new PullError('no_forms', 'the workspace has no forms')
      return { forms, missing }
    }
    for (const id of wanted) {
      try {
        const form = await this.#client.forms.get(id, this.#call)
        checkForm(form)
        forms.push(form)
      } catch (error) {
        // The error of the only form says more than that it is missing.
        if ((error as { status?: unknown }).status !== 404 || requireForms || wanted.length === 1) throw error
        missing.push(id)
      }
    }
    if (forms.length === 0)
      throw new PullError('no_forms', `none of the forms was found: ${missing.join(', ')}`)
    // The order of the list, which the reference server keeps (FORM-01).
    forms.sort((one, other) => Date.parse(other.updated_at) - Date.parse(one.updated_at))
    return { forms, missing }
  }

  /** Reads what is left of a form. */
  async form(progress: Progress): Promise<void> {
    if (progress.isOver) return
    const { drafts, endpoints, since } = this.#settings
    // Drafts first: one that is submitted meanwhile is among the responses then.
    if (drafts && progress.count === 0) await this.#drafts(progress)
    await this.#responses(progress)
    const { webhooks, unknown } = endpoints ? await this.#webhooks(progress) : NO_ENDPOINTS
    const { form, listed } = progress
    // Unusual: a response has come or gone in between, or the service counts otherwise.
    const counted =
      form.response_count === listed || since !== undefined
        ? null
        : (await this.#client.forms.get(form.id, this.#call)).response_count
    await this.#add({ kind: 'end', form: form.id, webhooks, unknown, counted })
  }

  async #drafts(progress: Progress): Promise<void> {
    const { id } = progress.form
    let rows: Converted[] = []
    let left = this.#settings.limit
    for await (const draft of this.#listed(id, 'in_progress')(this.#settings.since, 1)) {
      if (left === 0) break
      left -= 1
      checkRow(id, draft)
      // An interrupted run may have stored some already.
      if (progress.draftIds.has(draft.id)) continue
      const converted = this.#convert(id, draft)
      await this.#addId(progress, draft.id)
      rows.push(converted)
      if (rows.length < PER_PAGE) continue
      await this.#addDrafts(id, rows)
      rows = []
      if (this.#settings.isEnough(id, 'in_progress')) break
    }
    if (rows.length > 0) await this.#addDrafts(id, rows)
  }

  async #responses(progress: Progress): Promise<void> {
    const { id } = progress.form
    const { since, limit } = this.#settings
    if (progress.count >= limit) return
    const list = this.#listed(id, 'submitted')
    const newest = list(since, 1)
    const { meta, data } = await newest
    const order = new ListOrder(id, data, progress.newest, (one) => this.#ids.has(one))
    const listed = progress.count === 0 ? meta.total : progress.listed
    const { count, position } = progress
    const stop = count > 0 ? { count, position: new Position(position.instant, position.ids) } : undefined
    for await (const page of newestFirst(list, {
      since,
      newest,
      stop,
      areDrafts: false,
      instantOf: (row) => instantOf(id, row),
      onNewer: (row) => order.skip(row),
    })) {
      const left = page.slice(0, limit - progress.count)
      const converted = left.map((row) => this.#convert(id, row))
      for (const row of left) await this.#addId(progress, row.id)
      const instant = instantOf(id, left.at(-1) as FormResponse)
      const ids = left.filter((row) => instantOf(id, row) === instant).map((row) => row.id)
      const rows = converted.map(({ row }) => row)
      const unknown = converted.flatMap((one) => one.unknown)
      await this.#add({ kind: 'rows', form: id, rows, unknown, position: { instant, ids }, listed })
      this.report()
      if (progress.count >= limit || this.#settings.isEnough(id, 'submitted')) break
    }
    await order.end(() => list(since, 1))
  }

  /** Takes an id. @throws PullError if another response has it: a seed has each id once */
  async #addId({ form, draftIds, submittedDrafts }: Progress, id: number): Promise<void> {
    if (this.#ids.add(id) || (draftIds.has(id) && !submittedDrafts.has(id))) return
    const other = await this.#formWith(id)
    throw new PullError(
      'invalid_response',
      other === undefined || other === form.id
        ? `form ${form.id} lists response ${id} twice`
        : `forms ${other} and ${form.id} both have a response ${id}: ids must be unique; pull one form only`,
    )
  }

  async #formWith(id: number): Promise<string | undefined> {
    for (const { form, rows, drafts } of this.#forms?.values() ?? []) {
      for (const handle of [...rows, ...drafts]) {
        const line = await this.#store.read(handle)
        if ('rows' in line && line.rows.some((row) => row.id === id)) return form.id
      }
    }
    return undefined
  }

  async #webhooks({ form }: Progress): Promise<{ webhooks: SeedWebhook[]; unknown: Unknown[] }> {
    const webhooks: SeedWebhook[] = []
    const unknown: Unknown[] = []
    for await (const webhook of this.#client.webhooks.list(form.id, this.#call)) {
      if (webhooks.length === LIMITS.webhooksPerForm) break
      if (!isUsableWebhook(webhook)) {
        unknown.push({ id: 'webhooks', why: 'changed' })
        continue
      }
      const { id, url, active, created_at } = webhook
      const createdAt = instantText(created_at)
      webhooks.push({
        id,
        url: this.#scrubber.endpointUrl(url),
        active,
        ...(createdAt !== undefined && { created_at: createdAt }),
      })
    }
    return { webhooks, unknown }
  }

  #listed(formId: string, status: 'submitted' | 'in_progress') {
    return (since: string | undefined, page: number) =>
      this.#client.responses.list(
        formId,
        {
          ...(status === 'in_progress' && { status }),
          ...(since !== undefined && { since }),
          page,
          per_page: PER_PAGE,
        },
        this.#call,
      )
  }

  #convert(formId: string, response: FormResponse): Converted {
    this.#settings.signal?.throwIfAborted()
    const converted = convertResponse(formId, response, this.#settings.shiftMs)
    this.#scrubber.scrub(formId, converted.row)
    return converted
  }

  async #addDrafts(form: string, converted: readonly Converted[]): Promise<void> {
    const rows = converted.map(({ row }) => row)
    await this.#add({ kind: 'drafts', form, rows, unknown: converted.flatMap(({ unknown }) => unknown) })
  }

  /** Reports how many responses of all were read. */
  report(): void {
    const { limit, since, onProgress } = this.#settings
    let read = 0
    let total = 0
    for (const { count, listed, form, isOver } of this.#forms?.values() ?? []) {
      read += count
      // How many are left out by `since` is known only from the list of the form.
      const known = isOver ? count : since === undefined ? form.response_count : listed
      total += Math.max(count, Math.min(limit, known))
    }
    onProgress({ read, total })
  }
}

const progressOf = (form: PulledForm): Progress => ({
  form,
  listed: 0,
  tally: new FormTally(form.id, form.unknown),
  rows: [],
  drafts: [],
  submittedDrafts: new Set(),
  webhooks: [],
  counted: null,
  count: 0,
  draftIds: new Set(),
  position: new Position(),
  newest: '',
  isOver: false,
})

function ownerOf(me: Me): PulledOwner {
  checkMe(me)
  const { user, workspace } = me
  const role: KnownWorkspaceRole = WORKSPACE_ROLES.find((known) => known === workspace.role) ?? 'owner'
  return {
    user: { id: user.id, name: user.name, email: user.email },
    workspace: {
      id: workspace.id,
      name: workspace.name,
      members: [{ user: user.email, role: role === 'viewer' ? 'owner' : role }],
    },
  }
}
