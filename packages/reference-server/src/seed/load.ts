import type { KnownFormStatus, KnownWorkspaceRole } from '@formwire/contract'
import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import { generateKey } from '../domain/key.ts'
import { readLanguage } from '../domain/language.ts'
import { filesAsDescribed, type Question, readQuestions, validateAnswers } from '../domain/question/index.ts'
import { newDraftToken, type ResponseContent, UNKNOWN_META, writeResponse } from '../domain/response.ts'
import { generateSecret } from '../domain/webhook-endpoint.ts'
import {
  type BootstrapCredentials,
  createPrintedKey,
  markAsPrinted,
} from '../services/bootstrap-credentials.ts'
import { newFormId, newSlug } from '../services/forms.ts'
import { countActiveKeys, storeKey } from '../services/keys.ts'
import type { Seed, SeedForm, SeedInstant, SeedResponse, SeedWorkspace } from './format.ts'
import { resolveInstant } from './instant.ts'
import { isRecorded, recordedAnswers } from './recorded.ts'
import { SeedError } from './seed-error.ts'

/** What a seed is loaded into. The state must be empty. */
export type SeedTarget = Pick<Context, 'state' | 'clock' | 'random' | 'settings'>

type Loading = SeedTarget & {
  /** Read once, so that equal spans such as `-1h` are the same instant on a running clock too. */
  readonly now: number
}

/** The error of a seed that passed `parseSeed` but cannot be loaded. */
const seedError = (path: string, message: string): SeedError => new SeedError([{ path, message }])

/**
 * Loads a seed into an empty state. The keys printed at startup belong to the first owner of the first workspace, or to
 * its first editor. They are taken from the seed if it has them and generated otherwise.
 * @throws SeedError with the path of the problem.
 */
export function loadSeed(context: SeedTarget, seed: Seed): BootstrapCredentials {
  const target: Loading = { ...context, now: context.clock.now() }
  const { people, keys, responses, endpoints } = target.state
  // Generated ids come after all of the seed.
  const forms = seed.workspaces.flatMap((workspace) => workspace.forms ?? [])
  for (const form of forms) {
    for (const { id = 0 } of form.responses ?? []) responses.lastId = Math.max(responses.lastId, id)
    for (const { id = 0 } of form.webhooks ?? []) endpoints.lastId = Math.max(endpoints.lastId, id)
  }
  const userIds = new Map<string, number>()
  for (const { id, name, email } of seed.users) {
    const user = { id: id ?? people.users.nextId(), name, email, passwordChangedAt: null }
    people.users.put(user)
    userIds.set(email, user.id)
  }
  const workspaceIds = seed.workspaces.map((workspace, index) =>
    loadWorkspace(target, workspace, userIds, `workspaces[${index}]`),
  )
  const first = seed.workspaces[0]
  const workspaceId = workspaceIds[0]
  if (!first || workspaceId === undefined) throw seedError('workspaces', 'must not be empty')
  const keyText = new Map<string, string>()
  for (const [index, workspace] of seed.workspaces.entries()) {
    for (const [position, seedKey] of (workspace.keys ?? []).entries()) {
      const { name, scope, user } = seedKey
      const { keyLimitPer } = target.settings.unspecified
      const owner = { workspaceId: workspaceIds[index] as number, userId: userIds.get(user) as number }
      const active = countActiveKeys(keys.all(), owner, keyLimitPer)
      if (!seedKey.revoked && active >= target.settings.limits.activeKeys) {
        const path = `workspaces[${index}].keys[${position}]`
        throw seedError(path, `the ${keyLimitPer} already has ${active} active keys (AUTH-08)`)
      }
      const key = seedKey.key ?? generateKey(target.random)
      const createdAt = instantOf(target, seedKey.created_at)
      const revokedAt = seedKey.revoked ? target.now : null
      storeKey(target, { name, scope, ...owner, key, createdAt, revokedAt })
      const slot = `${index} ${scope} ${user}`
      if (!seedKey.revoked && !keyText.has(slot)) keyText.set(slot, key)
    }
  }
  const memberWho = (role: KnownWorkspaceRole) => first.members.find((member) => member.role === role)
  const owner = (memberWho('owner') ?? memberWho('editor'))?.user
  if (owner === undefined) throw seedError('workspaces[0].members', 'needs an owner or an editor')
  const userId = userIds.get(owner) as number
  const keyOf = (scope: 'read' | 'write'): string => {
    const known = keyText.get(`0 ${scope} ${owner}`)
    if (known === undefined) return createPrintedKey(target, { scope, workspaceId, userId })
    markAsPrinted(target, known)
    return known
  }
  return { writeKey: keyOf('write'), readKey: keyOf('read'), workspaceId, userId }
}

function loadWorkspace(
  target: Loading,
  seed: SeedWorkspace,
  userIds: ReadonlyMap<string, number>,
  path: string,
): number {
  const { people } = target.state
  const id = seed.id ?? people.workspaces.nextId()
  people.workspaces.put({ id, name: seed.name, plan: seed.plan ?? 'business', createdAt: target.now })
  for (const { user, role } of seed.members) {
    people.putMembership({ workspaceId: id, userId: userIds.get(user) as number, role })
  }
  for (const [index, form] of (seed.forms ?? []).entries()) {
    loadForm(target, form, id, `${path}.forms[${index}]`)
  }
  return id
}

function loadForm(target: Loading, seed: SeedForm, workspaceId: number, path: string): void {
  const { state, settings } = target
  const reading = readQuestions(seed.questions ?? [], `${path}.questions`)
  if (!reading.ok) throw seedError(reading.refusal.field, reading.refusal.message)
  const responses = (seed.responses ?? []).map((response, index) => ({
    response,
    index,
    at: instantOf(target, response.submitted_at),
    startedAt: instantOf(target, response.started_at ?? response.submitted_at),
  }))
  for (const { response, index, at, startedAt } of responses) {
    if (startedAt > at && !isRecorded(response))
      throw seedError(`${path}.responses[${index}].started_at`, 'must not be after submitted_at')
  }
  const webhooks = (seed.webhooks ?? []).map((webhook) => ({
    webhook,
    createdAt: instantOf(target, webhook.created_at),
  }))
  const createdAt =
    seed.created_at === undefined
      ? [...responses.map(({ startedAt }) => startedAt), ...webhooks.map((one) => one.createdAt)].reduce(
          (oldest, instant) => Math.min(oldest, instant),
          target.now,
        )
      : instantOf(target, seed.created_at)
  const form = formRecord(target, seed, { workspaceId, createdAt, questions: reading.value })
  const submitted = responses.filter(({ response }) => response.status !== 'in_progress').length
  state.forms.put({ ...form, responseCount: seed.response_count ?? submitted })
  // Oldest first, so that ids increase with time.
  for (const { response, index, at, startedAt } of responses.sort((a, b) => a.at - b.at)) {
    const { id, status = 'submitted', duration_sec: durationSec, answers } = response
    const content = contentOf(target, reading.value, response, `${path}.responses[${index}]`)
    const given = answers.map(({ question_id, value }) => ({ question_id, value }))
    const facts = {
      id: id ?? state.responses.nextId(),
      formId: form.id,
      status,
      startedAt,
      at,
      sequence: state.responses.nextSequence(),
      content,
      draft: status === 'in_progress' ? { token: newDraftToken(target.random), answers: given } : null,
      durationSec,
    }
    state.responses.put(writeResponse(facts, settings.unspecified))
  }
  for (const { webhook, createdAt: addedAt } of webhooks) {
    state.endpoints.put({
      id: webhook.id ?? state.endpoints.nextId(),
      formId: form.id,
      workspaceId,
      url: webhook.url,
      active: webhook.active ?? true,
      secret: webhook.secret ?? generateSecret(target.random),
      createdAt: addedAt,
      ...(webhook.built_in && { builtIn: true as const }),
    })
  }
}

function formRecord(
  target: Loading,
  seed: SeedForm,
  { workspaceId, createdAt, questions }: { workspaceId: number; createdAt: number; questions: Question[] },
): FormRecord {
  const status: KnownFormStatus = seed.status ?? 'published'
  const wasPublished = status !== 'draft'
  const orNull = (instant: SeedInstant | null | undefined): number | null =>
    instant === null || instant === undefined ? null : resolveInstant(instant, target.now)
  const reading = readLanguage(seed.language ?? null)
  const language = reading.ok && reading.value !== null ? { language: reading.value } : {}
  return {
    id: seed.id ?? newFormId(target),
    revision: target.state.forms.nextRevision(),
    workspaceId,
    slug: seed.slug ?? newSlug(target),
    title: seed.title,
    status,
    questions,
    ...language,
    publication: wasPublished
      ? { title: seed.published_title ?? seed.title, questions, ...language, publishedAt: createdAt }
      : null,
    statusBeforeArchive: status === 'archived' ? 'published' : null,
    responseCount: 0,
    responseLimit: seed.response_limit ?? null,
    opensAt: orNull(seed.opens_at),
    closesAt: orNull(seed.closes_at),
    createdAt,
    updatedAt: orNull(seed.updated_at) ?? createdAt,
    trashedAt: seed.trashed ? target.now : null,
  }
}

function contentOf(
  { settings }: Loading,
  questions: readonly Question[],
  seed: SeedResponse,
  path: string,
): ResponseContent {
  const { email = null, meta, answers: given } = seed
  const texts = settings.unspecified.answerTexts
  if (isRecorded(seed)) {
    const byId = new Map(questions.map((question) => [question.id, question]))
    const { score = null, max_score: maxScore = null } = seed
    const answers = recordedAnswers(given, byId, texts)
    return { email, score, maxScore, answers, meta: meta ?? UNKNOWN_META }
  }
  const draft = seed.status === 'in_progress'
  const checked = validateAnswers(questions, given, { draft, file: filesAsDescribed, texts })
  // `parseSeed` names every invalid answer by its path; only a seed of our own can get here with one.
  if (!checked.ok) throw seedError(`${path}.answers`, checked.refusal[0].message)
  const { score = checked.value.score, max_score: maxScore = checked.value.max_score } = seed
  return { email, score, maxScore, answers: checked.value.answers, meta: { ...UNKNOWN_META, ...meta } }
}

function instantOf({ now }: Loading, instant: SeedInstant | undefined): number {
  return instant === undefined ? now : resolveInstant(instant, now)
}

/** Returns the smallest usable seed: one workspace, its owner, a write key and a read key. */
export function emptySeed(): Seed {
  const user = 'owner@example.com'
  return {
    version: 1,
    users: [{ name: 'Olive Owner', email: user }],
    workspaces: [
      {
        name: 'Workspace',
        plan: 'business',
        members: [{ user, role: 'owner' }],
        keys: [
          { name: 'Write key', scope: 'write', user },
          { name: 'Read key', scope: 'read', user },
        ],
      },
    ],
  }
}
