import { resolve } from 'node:path'
import { EXIT } from '../../exit.ts'
import { Failure } from '../../failure.ts'
import { shellWord } from '../../output/text-safety.ts'
import { invalidArgument } from '../result.ts'

/** Actions of the tool `change`. */
export const CHANGES = [
  'close',
  'reopen',
  'rename',
  'delete_responses',
  'create_endpoint',
  'delete_endpoints',
] as const

/** Arguments of the tool `change`. */
export interface ChangeArguments {
  action: (typeof CHANGES)[number]
  form: string
  title?: string | undefined
  ids?: number[] | undefined
  url?: string | undefined
  secret_file?: string | undefined
  token?: string | undefined
}

/** A change of the configured service, with the arguments that it requires and no others. */
export type Change =
  | { action: 'close' | 'reopen'; form: string }
  | { action: 'rename'; form: string; title: string }
  | { action: 'create_endpoint'; form: string; url: string; secretFile: string }
  | Deletion

/** A change that cannot be undone. */
export interface Deletion {
  action: 'delete_responses' | 'delete_endpoints'
  form: string
  /** Sorted, each once. */
  ids: number[]
}

export const isDeletion = (change: Change): change is Deletion => 'ids' in change

type Name = keyof ChangeArguments

/** Arguments of each action besides `action` and `form`; `token` is optional. */
const ARGUMENTS: Readonly<Record<ChangeArguments['action'], readonly Name[]>> = {
  close: [],
  reopen: [],
  rename: ['title'],
  delete_responses: ['ids', 'token'],
  create_endpoint: ['url', 'secret_file'],
  delete_endpoints: ['ids', 'token'],
}

/** Checks the arguments of an action. @throws Failure `invalid_argument` */
export function readChange(given: ChangeArguments): Change {
  const { action, form, title = '', ids = [], url = '', secret_file: file = '' } = given
  const takes = ARGUMENTS[action]
  for (const name of Object.keys(given) as Name[]) {
    if (name !== 'action' && name !== 'form' && !takes.includes(name))
      throw invalidArgument(name, `${action} does not take it`)
  }
  for (const name of takes)
    if (name !== 'token' && given[name] === undefined) throw invalidArgument(name, `${action} requires it`)
  switch (action) {
    case 'close':
    case 'reopen':
      return { action, form }
    case 'rename':
      return { action, form, title }
    case 'create_endpoint':
      if (!/^https?:/i.test(url) || !URL.canParse(url))
        throw invalidArgument('url', 'it must be an http or https URL')
      // As the service reads it, which shows the user a disguised host.
      return { action, form, url: new URL(url).href, secretFile: resolve(file) }
    case 'delete_responses':
    case 'delete_endpoints':
      return { action, form, ids: [...new Set(ids)].sort((one, two) => one - two) }
  }
}

/** Returns the failure of a client that cannot ask its user, with the command that the user can run instead. */
export function cannotAsk(change: Change): Failure {
  return new Failure('this client cannot ask its user, and every change needs their confirmation', {
    exitCode: EXIT.failed,
    code: 'cannot_ask',
    hint: `the client has no elicitation; the user can run: ${commandOf(change)}`,
  })
}

function commandOf(change: Change): string {
  const { action } = change
  // A form id is any text, and a person may paste the command.
  const form = shellWord(change.form)
  switch (action) {
    case 'close':
    case 'reopen':
      return `formwire forms ${action} ${form}`
    case 'rename':
      return `formwire forms rename ${form} TITLE`
    case 'create_endpoint':
      return `formwire webhooks create ${form} URL`
    case 'delete_responses':
      return `formwire responses delete ${form} ${change.ids.join(' ')}`
    case 'delete_endpoints':
      return change.ids.map((id) => `formwire webhooks delete ${form} ${id}`).join(' && ')
  }
}
