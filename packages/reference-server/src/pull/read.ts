import type { Form, FormResponse, KnownWorkspaceRole, Me } from '@formwire/contract'
import { LIMITS, WORKSPACE_ROLES } from '@formwire/contract'
import { given } from '@formwire/internal/given'
import type { SeedWebhook } from '../seed/format.ts'
import { isNotShown, type PullClient, type PullPosition } from './client.ts'
import { type Converted, convertForm, convertResponse } from './convert.ts'
import { instantText } from './instants.ts'
import type { PulledOwner, PullLine, PullStore, Unknown } from './lines.ts'
import { PullError } from './pull-error.ts'
import { Pseudonyms } from './scrub/pseudonyms.ts'
import { Scrubber } from './scrub/scrubber.ts'
import { type PullSettings, refuseOtherForms } from './settings.ts'
import { checkDated, checkForm, checkMe, checkRow, isUsableWebhook } from './shapes.ts'
import { type Progress, PullState, type ReadForm } from './state.ts'

/** Rows per page and line. */
export const PER_PAGE = 100

/** Everything that was read. */
export interface Read {
  readonly owner: PulledOwner
  /** In the order of the list: most recently updated first. */
  readonly forms: readonly ReadForm[]
  /** Forms that the key cannot read. */
  readonly missing: readonly string[]
  readonly scrubber: Scrubber
  readonly pseudonyms: Pseudonyms
  /** Where the responses are. */
  readonly store: PullStore
  readonly settings: PullSettings
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
  await reading.list()
  reading.report()
  const { state } = reading
  for (const form of state.forms) await reading.form(form)
  const { forms, missing } = state
  return { owner, forms, missing, scrubber, pseudonyms, store, settings }
}

class Reading {
  readonly #client: PullClient
  readonly #store: PullStore
  readonly #settings: PullSettings
  readonly #scrubber: Scrubber
  readonly #call: { signal: AbortSignal | undefined }
  readonly state = new PullState()
  /** The error of the last form that was left out. */
  #notShown: unknown

  constructor(client: PullClient, store: PullStore, settings: PullSettings, scrubber: Scrubber) {
    this.#client = client
    this.#store = store
    this.#settings = settings
    this.#scrubber = scrubber
    this.#call = { signal: settings.signal }
  }

  async restore(): Promise<void> {
    for await (const { line, handle } of this.#store.earlier()) this.state.take(line, handle)
  }

  async #add(line: PullLine): Promise<void> {
    this.state.take(line, await this.#store.add(line))
  }

  async owner(): Promise<PulledOwner> {
    if (!this.state.owner) {
      const me = await this.#client.me(this.#call)
      await this.#add({ kind: 'owner', owner: this.#scrubber.owner(ownerOf(me)) })
    }
    return this.state.owner as unknown as PulledOwner
  }

  /** Reads the list of forms, in each run that has some to read: forms come and go between two runs. */
  async list(): Promise<void> {
    const known = this.state.forms
    if (known.length > 0 && known.every(({ isOver }) => isOver)) return
    const { forms, missing } = await this.#list(known)
    // The order of the list, which the reference server keeps (FORM-01): a form that changes meanwhile is read last.
    forms.sort((one, other) => Date.parse(other.updated_at) - Date.parse(one.updated_at))
    const slugs = new Map(known.map(({ form: { id, slug } }) => [slug, id]))
    const converted = forms.map((one) => {
      const form = convertForm(one, this.#settings.shiftMs)
      const { slug, ...rest } = form
      const owner = slug === undefined ? form.id : (slugs.get(slug) ?? form.id)
      slugs.set(slug, owner)
      // The public link of a seed leads to one form.
      return owner === form.id
        ? form
        : { ...rest, unknown: [...form.unknown, { id: 'slug', why: 'changed' as const }] }
    })
    await this.#add({ kind: 'forms', forms: converted, missing })
    this.#refuseNone()
    const { state } = this
    refuseOtherForms(this.#settings, new Set([...state.forms.map(({ form }) => form.id), ...state.missing]))
  }

  async #list(known: readonly Progress[]): Promise<{ forms: Form[]; missing: string[] }> {
    const { forms: wanted } = this.#settings
    const forms: Form[] = []
    const missing: string[] = []
    if (wanted === 'all') {
      for await (const form of this.#client.forms.list({ per_page: PER_PAGE }, this.#call)) {
        checkForm(form)
        forms.push(form)
      }
      return { forms, missing }
    }
    const read = new Set(known.flatMap(({ form, isOver }) => (isOver ? [form.id] : [])))
    for (const id of wanted) {
      if (read.has(id)) continue
      try {
        const form = await this.#client.forms.get(id, this.#call)
        checkForm(form)
        forms.push(form)
      } catch (error) {
        await this.#leaveOut(error)
        missing.push(id)
      }
    }
    return { forms, missing }
  }

  /** Takes the error of a form that is left out. @throws any other error, and that of a key which may not read at all */
  async #leaveOut(error: unknown): Promise<void> {
    if (!isNotShown(error) || this.#settings.requireForms) throw error
    if ((error as { status: number }).status === 403) await this.#client.me(this.#call)
    this.#notShown = error
  }

  /** @throws PullError if no form is left. The error of a form that was the only one, or that the key may not read, says more. */
  #refuseNone(): void {
    const { forms, missing } = this.state
    if (forms.length > 0) return
    const isForbidden = Object(this.#notShown).status === 403
    if (this.#notShown !== undefined && (isForbidden || missing.length === 1)) throw this.#notShown
    throw new PullError(
      'no_forms',
      missing.length === 0
        ? 'the workspace has no forms'
        : `none of the forms was found: ${missing.join(', ')}`,
    )
  }

  /** Reads what is left of a form. One that the service does not show any more is left out. */
  async form(progress: Progress): Promise<void> {
    if (progress.isOver) return
    try {
      await this.#read(progress)
    } catch (error) {
      await this.#leaveOut(error)
      await this.#add({ kind: 'gone', form: progress.form.id })
      this.#refuseNone()
    }
  }

  async #read(progress: Progress): Promise<void> {
    const { drafts, since } = this.#settings
    // Drafts first: one that is submitted meanwhile is among the responses then.
    if (drafts && progress.count === 0) await this.#rows(progress, 'in_progress')
    await this.#rows(progress, 'submitted')
    const { webhooks, unknown } = await this.#endpoints(progress)
    const { form, listed } = progress
    // Unusual: a response has come or gone in between, or the service counts otherwise.
    const counted =
      form.response_count === listed || since !== undefined
        ? null
        : (await this.#client.forms.get(form.id, this.#call)).response_count
    await this.#add({ kind: 'end', form: form.id, webhooks, unknown, counted })
  }

  /** Reads the responses that are left, or the drafts. */
  async #rows(progress: Progress, status: 'submitted' | 'in_progress'): Promise<void> {
    const { id } = progress.form
    const { since, limit } = this.#settings
    const isDraft = status === 'in_progress'
    let left = isDraft ? limit : limit - progress.count
    if (left <= 0) return
    let listed = progress.count === 0 ? undefined : progress.listed
    let batch: FormResponse[] = []
    let last: PullPosition | undefined
    const add = async (): Promise<void> => {
      if (batch.length === 0) return
      const converted = batch.map((row) => this.#convert(id, row))
      for (const row of batch) await this.#addId(progress, row.id)
      const rows = converted.map(({ row }) => row)
      const unknown = converted.flatMap((one) => one.unknown)
      if (isDraft) await this.#add({ kind: 'drafts', form: id, rows, unknown })
      else {
        const read = new Set(batch.map((row) => row.id))
        const { since: instant, ids } = last as PullPosition
        const position = { instant, ids: ids.filter((one) => read.has(one)) }
        await this.#add({ kind: 'rows', form: id, rows, unknown, position, listed: listed ?? 0 })
        this.report()
      }
      batch = []
    }
    const walk = this.#client.responses.walk(id, {
      order: 'newest',
      until: since,
      ...(isDraft ? { status } : { from: progress.position }),
      ...this.#call,
      onPage({ data, meta }) {
        listed ??= meta.total
        for (const row of data) (isDraft ? checkRow : checkDated)(id, row)
      },
    })
    for await (const { response, position } of walk) {
      // An interrupted run may have stored some drafts already.
      if (!isDraft || !progress.draftIds.has(response.id)) batch.push(response)
      last = position
      left -= 1
      if (left > 0 && batch.length < PER_PAGE) continue
      await add()
      if (left === 0 || this.#settings.isEnough(id, status)) return
    }
    await add()
  }

  /** Takes an id. @throws PullError if another response has it: a seed has each id once */
  async #addId({ form, draftIds, submittedDrafts }: Progress, id: number): Promise<void> {
    if (this.state.ids.add(id) || (draftIds.has(id) && !submittedDrafts.has(id))) return
    const other = await this.#formWith(id)
    throw new PullError(
      'invalid_response',
      other === undefined || other === form.id
        ? `form ${form.id} lists response ${id} twice`
        : `forms ${other} and ${form.id} both have a response ${id}: ids must be unique; pull one form only`,
    )
  }

  async #formWith(id: number): Promise<string | undefined> {
    for (const { form, rows, drafts } of this.state.forms) {
      for (const handle of [...rows, ...drafts]) {
        const line = await this.#store.read(handle)
        if ('rows' in line && line.rows.some((row) => row.id === id)) return form.id
      }
    }
    return undefined
  }

  /** Reads endpoints. A key may not read them although it may read their form; a form that is gone is left out. */
  async #endpoints({ form }: Progress): Promise<{ webhooks: SeedWebhook[]; unknown: Unknown[] }> {
    const changed: Unknown = { id: 'webhooks', why: 'changed' }
    const webhooks: SeedWebhook[] = []
    const unknown: Unknown[] = []
    if (!this.#settings.endpoints) return { webhooks, unknown }
    try {
      for await (const webhook of this.#client.webhooks.list(form.id, this.#call)) {
        if (webhooks.length === LIMITS.webhooksPerForm) break
        if (!isUsableWebhook(webhook) || this.state.webhookIds.has(webhook.id)) {
          unknown.push(changed)
          continue
        }
        const { id, active } = webhook
        const url = this.#scrubber.endpointUrl(webhook.url)
        webhooks.push({ id, url, active, ...given({ created_at: instantText(webhook.created_at) }) })
      }
    } catch (error) {
      if (!isNotShown(error) || (error as { status?: unknown }).status !== 403) throw error
      return { webhooks: [], unknown: [changed] }
    }
    return { webhooks, unknown }
  }

  #convert(formId: string, response: FormResponse): Converted {
    this.#settings.signal?.throwIfAborted()
    const converted = convertResponse(formId, response, this.#settings.shiftMs)
    this.#scrubber.scrub(formId, converted.row)
    return converted
  }

  /** Reports how many responses of all were read. */
  report(): void {
    const { limit, since, onProgress } = this.#settings
    let read = 0
    let total = 0
    for (const { count, listed, form, isOver } of this.state.forms) {
      read += count
      // How many are left out by `since` is known only from the list of the form.
      const known = isOver ? count : since === undefined ? form.response_count : listed
      total += Math.max(count, Math.min(limit, known))
    }
    onProgress({ read, total })
  }
}

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
