import {
  filesAsDescribed,
  isEmailAddress,
  type Question,
  readQuestions,
  validateAnswers,
} from '../domain/question/index.ts'
import { findUnknownField } from '../services/question-fields.ts'
import type { Seed, SeedForm, SeedResponse, SeedWorkspace } from './format.ts'
import { findRecordedIssues, isRecorded } from './recorded.ts'
import type { SeedIssue } from './seed-error.ts'

type Report = (path: string, message: string) => void

/** Returns every inconsistency of a well-formed seed. */
export function findBrokenReferences(seed: Seed): SeedIssue[] {
  const broken: SeedIssue[] = []
  const report: Report = (path, message) => broken.push({ path, message })

  const emails = new Set<string>()
  const once = onceOnly(report)
  seed.users.forEach((user, index) => {
    once('email', user.email, `users[${index}].email`)
    once('user id', user.id, `users[${index}].id`)
    emails.add(user.email)
  })
  seed.workspaces.forEach((workspace, index) => {
    const path = `workspaces[${index}]`
    once('workspace id', workspace.id, `${path}.id`)
    checkPeople(workspace, path, emails, report)
    workspace.keys?.forEach((key, position) => {
      // The message never contains the key.
      if (key.key !== undefined) once('key', key.key, `${path}.keys[${position}].key`, 'this key')
    })
    workspace.forms?.forEach((form, position) => {
      const at = `${path}.forms[${position}]`
      once('form id', form.id, `${at}.id`)
      once('slug', form.slug, `${at}.slug`)
      form.responses?.forEach(({ id }, number) => {
        once('response id', id, `${at}.responses[${number}].id`)
      })
      form.webhooks?.forEach(({ id }, number) => {
        once('endpoint id', id, `${at}.webhooks[${number}].id`)
      })
      checkForm(form, at, report)
    })
  })
  checkBootstrapOwner(seed, report)
  return broken
}

/** The server's keys need a member of the first workspace who may have a write key (AUTH-05). */
function checkBootstrapOwner(seed: Seed, report: Report): void {
  if (seed.workspaces[0]?.members.every(({ role }) => role === 'viewer')) {
    report('workspaces[0].members', "needs an owner or an editor, for the server's own write key")
  }
}

/** Reports a value that occurs twice under the same name. */
function onceOnly(report: Report) {
  const seen = new Set<string>()
  return (
    what: string,
    value: string | number | undefined,
    path: string,
    label = `the ${what} ${value}`,
  ): void => {
    if (value === undefined) return
    const key = `${what} ${value}`
    if (seen.has(key)) report(path, `${label} is already used`)
    seen.add(key)
  }
}

function checkPeople(workspace: SeedWorkspace, path: string, emails: Set<string>, report: Report): void {
  const roles = new Map(workspace.members.map((member) => [member.user, member.role]))
  workspace.members.forEach((member, index) => {
    if (!emails.has(member.user))
      report(`${path}.members[${index}].user`, `no user has the email ${member.user}`)
  })
  workspace.keys?.forEach((key, index) => {
    if (!roles.has(key.user))
      report(`${path}.keys[${index}].user`, `${key.user} is not a member of this workspace`)
    else if (key.scope === 'write' && roles.get(key.user) === 'viewer') {
      report(`${path}.keys[${index}].scope`, 'a viewer cannot have a write key (AUTH-05)')
    }
  })
}

function checkForm(form: SeedForm, path: string, report: Report): void {
  const read = readQuestions(form.questions ?? [], `${path}.questions`)
  if (!read.ok) {
    report(read.refusal.field, read.refusal.message)
    return
  }
  for (const [index, question] of (form.questions ?? []).entries()) {
    const unknown = findUnknownField(question)
    if (unknown) report(`${path}.questions[${index}].${unknown.path}`, unknown.message)
  }
  form.responses?.forEach((response, index) => {
    checkResponse(response, read.value, `${path}.responses[${index}]`, report)
  })
}

/** Validates answers like the public form, except that an unknown question is an error. */
function checkResponse(
  response: SeedResponse,
  questions: readonly Question[],
  path: string,
  report: Report,
): void {
  const paths = new Map<string, string>()
  const known = new Map(questions.map((question) => [question.id, question]))
  response.answers.forEach(({ question_id: id }, index) => {
    const at = `${path}.answers[${index}]`
    paths.set(id, `${at}.value`)
    if (!known.has(id)) report(`${at}.question_id`, `no question of the form has the id ${id}`)
  })
  if (isRecorded(response)) {
    for (const { path: at, message } of findRecordedIssues(response, known)) report(`${path}.${at}`, message)
    return
  }
  if (typeof response.email === 'string' && !isEmailAddress(response.email)) {
    report(`${path}.email`, 'expected an email address or null')
  }
  const draft = response.status === 'in_progress'
  const validated = validateAnswers(questions, response.answers, { draft, file: filesAsDescribed })
  for (const { field, message } of validated.ok ? [] : validated.refusal) {
    const answerPath = paths.get(field)
    report(answerPath ?? `${path}.answers`, answerPath ? message : `${field}: ${message}`)
  }
}
