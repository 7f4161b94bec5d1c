import type { CatalogEntry } from './command.ts'

type Task = (args: readonly string[], options: Readonly<Record<string, unknown>>) => string

/** What each command that uses the service is asked to do. */
const TASKS: Readonly<Record<string, Task>> = {
  whoami: () => 'show the current user',
  login: () => 'log in',
  open: ([form]) => `open form ${form}`,
  'forms list': () => 'list the forms',
  'forms get': ([form]) => `show form ${form}`,
  'forms close': ([form]) => `close form ${form}`,
  'forms reopen': ([form]) => `reopen form ${form}`,
  'forms rename': ([form]) => `rename form ${form}`,
  'responses list': ([form]) => `list the responses of form ${form}`,
  'responses get': ([form, id]) => `show response ${id} of form ${form}`,
  'responses delete': ([form, ...ids]) =>
    ids.length === 1 ? `delete response ${ids[0]} of form ${form}` : `delete responses of form ${form}`,
  'responses submit': ([form]) => `submit a response to form ${form}`,
  'responses tail': (forms) => `follow the responses of ${formsNamed(forms)}`,
  'responses export': ([form]) => `export the responses of form ${form}`,
  types: (forms, { check }) =>
    typeof check === 'string' ? `check ${check}` : `generate the types of ${formsNamed(forms)}`,
  'webhooks list': ([form]) => `list the webhook endpoints of form ${form}`,
  'webhooks create': ([form]) => `create a webhook endpoint on form ${form}`,
  'webhooks delete': ([form, id]) => `delete webhook endpoint ${id} of form ${form}`,
  'deliveries list': ([form, id]) => `list the deliveries to webhook endpoint ${id} of form ${form}`,
  'deliveries show': ([id]) => `show delivery ${id}`,
  'deliveries tail': () => 'follow the deliveries',
  'deliveries replay': ([id]) => `replay delivery ${id}`,
  'deliveries pause': ([form, id]) => `pause webhook endpoint ${id} of form ${form}`,
  'deliveries resume': ([form, id]) => `resume webhook endpoint ${id} of form ${form}`,
  'deliveries test': ([form, id]) => `send a test event to webhook endpoint ${id} of form ${form}`,
  sync: (forms) => (forms.length === 0 ? 'sync the forms' : `sync ${formsNamed(forms)}`),
  listen: (_command, { form, poll }) =>
    `${poll ? 'follow' : 'listen to'} ${formsNamed((form ?? []) as readonly string[])}`,
  trigger: (_event, { form, response }) => `read response ${response} of form ${form}`,
  conformance: ([form], options) => `check the service with form ${form ?? options.form}`,
}

/** Returns what a command line asks for, such as `close form 8hTq2LmVx4Rb`. Undefined for a command that does not use the service. */
export function taskOf(
  path: CatalogEntry['path'],
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): string | undefined {
  return TASKS[path.join(' ')]?.(
    args.filter((one) => one !== undefined),
    options,
  )
}

const formsNamed = (forms: readonly string[]): string =>
  forms.length === 1 ? `form ${forms[0]}` : forms.length === 0 ? 'the forms' : `forms ${forms.join(', ')}`
