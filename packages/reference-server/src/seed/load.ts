import type { Answer, KnownFormStatus, KnownWorkspaceRole } from '@formwire/contract'
import type { Context } from '../context.ts'
import type { FormRecord } from '../domain/form.ts'
import { generateKey } from '../domain/key.ts'
import { readLanguage } from '../domain/language.ts'
import {
  filesAsDescribed,
  type Question,
  readQuestions,
  type SubmittedAnswer,
  type ValidAnswers,
  validateAnswers,
} from '../domain/question/index.ts'
import { newDraftToken, type ResponseContent, UNKNOWN_META, writeResponse } from '../domain/response.ts'
import { generateSecret } from '../domain/webhook-endpoint.ts'
import { countActiveKeys } from '../policy/key-limit.ts'
import {
  type BootstrapCredentials,
  createPrintedKey,
  markAsPrinted,
} from '../services/bootstrap-credentials.ts'
import { newFormId, newSlug } from '../services/forms.ts'
import { storeKey } from '../services/keys.ts'
import type { Seed, SeedForm, SeedInstant, SeedResponse, SeedWorkspace } from './format.ts'
import { resolveInstant } from './instant.ts'
import { isRecorded, recordedAnswers } from './recorded.ts'

/** What a seed is loaded into. The state must be empty. */
export type SeedTarget = Pick<Context, 'state' | 'clock' | 'random' | 'settings'>

type Loading = SeedTarget & {
  /** Read once, so that equal spans such as `-1h` are the same instant on a running clock too. */
  readonly now: number
  /** Largest ids of responses and endpoints so far, those of the whole seed included: generated ids come after them. */
  readonly lastIds: { response: number; endpoint: number }
}

/** A seed that passed `parseSeed` but cannot be loaded. `path` is the path of the problem. */
class SeedLoadError extends Error {
  override readonly name = 'SeedLoadError'

  constructor(path: string, message: string) {
    super(`The seed cannot be loaded:\n  ${path}: ${message}`)
  }
}

/**
 * Loads a seed into an empty state. The keys printed at startup belong to the first owner of the first workspace, or to
 * its first editor. They are taken from the seed if it has them and generated otherwise.
 * @throws SeedLoadError with the path of the problem.
 */
export function loadSeed(context: SeedTarget, seed: Seed): BootstrapCredentials {
  const { state, random, settings, clock } = context
  const target: Loading = {
    state,
    random,
    settings,
    clock,
    now: clock.now(),
    lastIds: largestIds(seed),
  }
  const { people } = target.state
  const userIds = new Map<string, number>()
  for (const { id, name, email } of seed.users) {
    const user = { id: id ?? people.nextUserId(), name, email, passwordChangedAt: null }
    people.putUser(user)
    userIds.set(email, user.id)
  }
  const workspaceIds = seed.workspaces.map((workspace, index) =>
    loadWorkspace(target, workspace, userIds, `workspaces[${index}]`),
  )
  const first = seed.workspaces[0]
  const workspaceId = workspaceIds[0]
  if (!first || workspaceId === undefined) throw new SeedLoadError('workspaces', 'must not be empty')
  const keyText = new Map<string, string>()
  for (const [index, workspace] of seed.workspaces.entries()) {
    for (const [position, seedKey] of (workspace.keys ?? []).entries()) {
      const userId = userIds.get(seedKey.user) as number
      const { keyLimitPer } = target.settings.unspecified
      const owner = { workspaceId: workspaceIds[index] as number, userId }
      const active = countActiveKeys(target.state.keys.all(), owner, keyLimitPer)
      if (!seedKey.revoked && active >= target.settings.limits.activeKeys) {
        const path = `workspaces[${index}].keys[${position}]`
        throw new SeedLoadError(path, `the ${keyLimitPer} already has ${active} active keys (AUTH-08)`)
      }
      const key = seedKey.key ?? generateKey(target.random)
      const createdAt = instantOf(target, seedKey.created_at)
      storeKey(target, {
        name: seedKey.name,
        scope: seedKey.scope,
        workspaceId: workspaceIds[index] as number,
        userId,
        key,
        createdAt,
        revokedAt: seedKey.revoked ? target.now : null,
      })
      const slot = `${index} ${seedKey.scope} ${seedKey.user}`
      if (!seedKey.revoked && !keyText.has(slot)) keyText.set(slot, key)
    }
  }
  const memberWho = (role: KnownWorkspaceRole) => first.members.find((member) => member.role === role)
  const owner = (memberWho('owner') ?? memberWho('editor'))?.user
  if (owner === undefined) throw new SeedLoadError('workspaces[0].members', 'needs an owner or an editor')
  const userId = userIds.get(owner) as number
  const keyOf = (scope: 'read' | 'write'): string => {
    const known = keyText.get(`0 ${scope} ${owner}`)
    if (known === undefined) return createPrintedKey(target, { scope, workspaceId, userId })
    markAsPrinted(target, known)
    return known
  }
  return { writeKey: keyOf('write'), readKey: keyOf('read'), workspaceId, userId }
}

function largestIds({ workspaces }: Seed): Loading['lastIds'] {
  const last = { response: 0, endpoint: 0 }
  for (const { responses = [], webhooks = [] } of workspaces.flatMap(({ forms = [] }) => forms)) {
    for (const { id = 0 } of responses) last.response = Math.max(last.response, id)
    for (const { id = 0 } of webhooks) last.endpoint = Math.max(last.endpoint, id)
  }
  return last
}

function loadWorkspace(
  target: Loading,
  seed: SeedWorkspace,
  userIds: ReadonlyMap<string, number>,
  path: string,
): number {
  const { people } = target.state
  const id = seed.id ?? people.nextWorkspaceId()
  people.putWorkspace({ id, name: seed.name, plan: seed.plan ?? 'business', createdAt: target.now })
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
  if (!reading.ok) throw new SeedLoadError(reading.refusal.field, reading.refusal.message)
  const responses = (seed.responses ?? []).map((response, index) => ({
    response,
    index,
    at: instantOf(target, response.submitted_at),
    startedAt: instantOf(target, response.started_at ?? response.submitted_at),
  }))
  for (const { response, index, at, startedAt } of responses) {
    if (startedAt > at && !isRecorded(response))
      throw new SeedLoadError(`${path}.responses[${index}].started_at`, 'must not be after submitted_at')
  }
  const webhooks = (seed.webhooks ?? []).map((webhook) => ({
    webhook,
    createdAt: instantOf(target, webhook.created_at),
  }))
  const instants = [
    ...responses.map(({ startedAt }) => startedAt),
    ...webhooks.map(({ createdAt }) => createdAt),
  ]
  const createdAt =
    seed.created_at === undefined
      ? instants.reduce((oldest, instant) => Math.min(oldest, instant), target.now)
      : instantOf(target, seed.created_at)
  const form = formRecord(target, seed, { workspaceId, createdAt, questions: reading.value })
  const submitted = responses.filter(({ response }) => response.status !== 'in_progress').length
  state.forms.put({ ...form, responseCount: seed.response_count ?? submitted })
  // Oldest first, so that ids increase with time.
  for (const { response, index, at, startedAt } of responses.sort((a, b) => a.at - b.at)) {
    const { content, answers } = readResponse(target, reading.value, response, `${path}.responses[${index}]`)
    const draft = response.status === 'in_progress' ? { token: newDraftToken(target.random), answers } : null
    state.responses.put(
      writeResponse(
        {
          id: response.id ?? ++target.lastIds.response,
          formId: form.id,
          status: response.status ?? 'submitted',
          startedAt,
          at,
          sequence: state.responses.nextSequence(),
          content,
          draft,
          durationSec: response.duration_sec,
        },
        settings.unspecified,
      ),
    )
  }
  for (const { webhook, createdAt: addedAt } of webhooks) {
    state.endpoints.put({
      id: webhook.id ?? ++target.lastIds.endpoint,
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

function readResponse(
  { settings }: Loading,
  questions: readonly Question[],
  seed: SeedResponse,
  path: string,
) {
  if (isRecorded(seed)) {
    const byId = new Map(questions.map((question) => [question.id, question]))
    const answers = recordedAnswers(seed.answers, byId, settings.unspecified.answerTexts)
    return contentOf(seed, answers, { meta: seed.meta ?? UNKNOWN_META })
  }
  const checked = validateAnswers(questions, seed.answers, {
    draft: seed.status === 'in_progress',
    file: filesAsDescribed,
    texts: settings.unspecified.answerTexts,
  })
  // `parseSeed` names every invalid answer by its path; only a seed of our own can get here with one.
  if (!checked.ok) throw new SeedLoadError(`${path}.answers`, checked.refusal[0].message)
  const { answers, score, max_score } = checked.value
  return contentOf(seed, answers, { score, max_score, meta: { ...UNKNOWN_META, ...seed.meta } })
}

/** @param computed what a seed need not state */
function contentOf(
  seed: SeedResponse,
  answers: readonly Answer[],
  computed: Partial<Pick<ValidAnswers, 'score' | 'max_score'>> & Pick<ResponseContent, 'meta'>,
): { answers: SubmittedAnswer[]; content: ResponseContent } {
  const { score = computed.score ?? null, max_score: maxScore = computed.max_score ?? null } = seed
  return {
    answers: seed.answers.map(({ question_id, value }) => ({ question_id, value })),
    content: { email: seed.email ?? null, score, maxScore, answers, meta: computed.meta },
  }
}

function instantOf({ now }: Loading, instant: SeedInstant | undefined): number {
  return instant === undefined ? now : resolveInstant(instant, now)
}
