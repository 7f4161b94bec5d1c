import {
  filesAsDescribed,
  isEmailAddress,
  type Question,
  readQuestions,
  validateAnswers,
} from '../domain/question/index.ts'
import type { Seed, SeedForm, SeedResponse, SeedWorkspace } from './format.ts'

/** One thing wrong with a seed and where: `workspaces[0].forms[2].title`. */
export interface SeedIssue {
  path: string
  message: string
}

type Report = (path: string, message: string) => void

/** Everything in a well-formed seed that does not fit together. */
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
      // The key itself is never said.
      if (key.key !== undefined) once('key', key.key, `${path}.keys[${position}].key`, 'this key')
    })
    workspace.forms?.forEach((form, position) => {
      const at = `${path}.forms[${position}]`
      once('form id', form.id, `${at}.id`)
      once('slug', form.slug, `${at}.slug`)
      checkForm(form, at, report)
    })
  })
  checkFirstLine(seed, report)
  return broken
}

/** The keys of the first line are for somebody of the first workspace who may have a write key (AUTH-05). */
function checkFirstLine(seed: Seed, report: Report): void {
  if (seed.workspaces[0]?.members.every(({ role }) => role === 'viewer')) {
    report('workspaces[0].members', "needs an owner or an editor, for the server's own write key")
  }
}

/** Reports a value that was seen before under the same name. */
function onceOnly(report: Report) {
  const seen = new Set<string>()
  return (
    what: string,
    value: string | number | undefined,
    path: string,
    said = `the ${what} ${value}`,
  ): void => {
    if (value === undefined) return
    const key = `${what} ${value}`
    if (seen.has(key)) report(path, `${said} is already taken`)
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
      report(`${path}.keys[${index}].user`, `${key.user} is no member of this workspace`)
    else if (key.scope === 'write' && roles.get(key.user) === 'viewer') {
      report(`${path}.keys[${index}].scope`, 'a viewer cannot have a write key (AUTH-05)')
    }
  })
}

function checkForm(form: SeedForm, path: string, report: Report): void {
  const read = readQuestions(form.questions ?? [], `${path}.questions`)
  if (!read.ok) {
    report(read.field, read.message)
    return
  }
  form.responses?.forEach((response, index) => {
    checkResponse(response, read.questions, `${path}.responses[${index}]`, report)
  })
}

/** Answers are held to what the public form takes; a question the form does not have is an error here. */
function checkResponse(
  response: SeedResponse,
  questions: readonly Question[],
  path: string,
  report: Report,
): void {
  const places = new Map<string, string>()
  const known = new Set(questions.map((question) => question.id))
  response.answers.forEach(({ question_id: id }, index) => {
    const at = `${path}.answers[${index}]`
    places.set(id, `${at}.value`)
    if (!known.has(id)) report(`${at}.question_id`, `no question of the form has the id ${id}`)
  })
  if (typeof response.email === 'string' && !isEmailAddress(response.email)) {
    report(`${path}.email`, 'expected an email address or null')
  }
  const draft = response.status === 'in_progress'
  const validated = validateAnswers(questions, response.answers, { draft, file: filesAsDescribed })
  for (const { field, message } of validated.ok ? [] : validated.errors) {
    const place = places.get(field)
    report(place ?? `${path}.answers`, place ? message : `${field}: ${message}`)
  }
}
