import type { ChoiceValue, KnownQuestionType } from '@formwire/contract'
import { answerValueSchemas } from '@formwire/contract/schemas'
import type { Seed, SeedAnswer, SeedForm, SeedQuestion, SeedWorkspace } from './format.ts'

/** Something that a seed names and does not have, or has twice. */
export interface BrokenReference {
  path: PropertyKey[]
  message: string
}

type Report = (path: PropertyKey[], message: string) => void

/** Everything in a well-formed seed that does not fit together. */
export function findBrokenReferences(seed: Seed): BrokenReference[] {
  const broken: BrokenReference[] = []
  const report: Report = (path, message) => broken.push({ path, message })

  const emails = new Set<string>()
  const once = onceOnly(report)
  seed.users.forEach((user, index) => {
    once('email', user.email, ['users', index, 'email'])
    once('user id', user.id, ['users', index, 'id'])
    emails.add(user.email)
  })
  seed.workspaces.forEach((workspace, index) => {
    const path = ['workspaces', index]
    once('workspace id', workspace.id, [...path, 'id'])
    checkPeople(workspace, path, emails, report)
    workspace.forms?.forEach((form, position) => {
      const at = [...path, 'forms', position]
      once('form id', form.id, [...at, 'id'])
      once('slug', form.slug, [...at, 'slug'])
      checkForm(form, at, report)
    })
  })
  return broken
}

/** Reports a value that was seen before under the same name. */
function onceOnly(report: Report) {
  const seen = new Set<string>()
  return (what: string, value: string | number | undefined, path: PropertyKey[]): void => {
    if (value === undefined) return
    const key = `${what} ${value}`
    if (seen.has(key)) report(path, `the ${what} ${value} is already taken`)
    seen.add(key)
  }
}

function checkPeople(
  workspace: SeedWorkspace,
  path: PropertyKey[],
  emails: Set<string>,
  report: Report,
): void {
  const roles = new Map(workspace.members.map((member) => [member.user, member.role]))
  workspace.members.forEach((member, index) => {
    if (!emails.has(member.user))
      report([...path, 'members', index, 'user'], `no user has the email ${member.user}`)
  })
  workspace.keys?.forEach((key, index) => {
    if (!roles.has(key.user))
      report([...path, 'keys', index, 'user'], `${key.user} is no member of this workspace`)
    else if (key.scope === 'write' && roles.get(key.user) === 'viewer') {
      report([...path, 'keys', index, 'scope'], 'a viewer cannot have a write key (AUTH-05)')
    }
  })
}

function checkForm(form: SeedForm, path: PropertyKey[], report: Report): void {
  const questions = new Map<string, SeedQuestion>()
  form.questions?.forEach((question, index) => {
    const id = question.id ?? `q${index + 1}`
    const at = [...path, 'questions', index]
    if (questions.has(id)) report([...at, 'id'], `the question id ${id} is already taken`)
    const shownBy = question.show_if?.question_id
    if (shownBy !== undefined && !questions.has(shownBy)) {
      report([...at, 'show_if', 'question_id'], `no earlier question has the id ${shownBy}`)
    }
    for (const part of PARTS[question.type] ?? []) {
      if (!question[part]) report([...at, part], `a ${question.type} question needs ${part}`)
    }
    questions.set(id, question)
  })
  form.responses?.forEach((response, index) => {
    response.answers.forEach((answer, position) => {
      const at = [...path, 'responses', index, 'answers', position]
      const question = questions.get(answer.question_id)
      if (question) checkAnswer(answer, question, at, report)
      else report([...at, 'question_id'], `no question of the form has the id ${answer.question_id}`)
    })
  })
}

const PARTS: Partial<Record<KnownQuestionType, ('options' | 'rows' | 'columns')[]>> = {
  single_choice: ['options'],
  multiple_choice: ['options'],
  dropdown: ['options'],
  ranking: ['options'],
  grid_single: ['rows', 'columns'],
  grid_multiple: ['rows', 'columns'],
}

function checkAnswer(answer: SeedAnswer, question: SeedQuestion, path: PropertyKey[], report: Report): void {
  const parsed = answerValueSchemas[question.type].safeParse(answer.value)
  if (!parsed.success) {
    for (const issue of parsed.error.issues) report([...path, 'value', ...issue.path], issue.message)
    return
  }
  const options = question.type === 'yes_no' ? YES_NO : idsOf(question.options)
  if (options && isChoice(answer.value)) {
    answer.value.ids.forEach((id, index) => {
      if (!options.has(id)) report([...path, 'value', 'ids', index], `the question has no option ${id}`)
    })
  }
  if (question.type !== 'grid_single' && question.type !== 'grid_multiple') return
  const [rows, columns] = [idsOf(question.rows), idsOf(question.columns)]
  for (const [row, cell] of Object.entries(answer.value as Record<string, string | string[]>)) {
    if (!rows?.has(row)) report([...path, 'value', row], `the question has no row ${row}`)
    for (const column of [cell].flat()) {
      if (!columns?.has(column)) report([...path, 'value', row], `the question has no column ${column}`)
    }
  }
}

const YES_NO: ReadonlySet<string> = new Set(['yes', 'no'])

const idsOf = (choices: readonly { id: string }[] | undefined): ReadonlySet<string> | undefined =>
  choices && new Set(choices.map((choice) => choice.id))

const isChoice = (value: unknown): value is ChoiceValue => Array.isArray((value as Partial<ChoiceValue>).ids)
