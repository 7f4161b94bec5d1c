import type { FormEndpoint } from '@formwire/contract/control'
import { computed } from '@preact/signals'
import { catalogPart } from './catalog-request.ts'
import { resource } from './resource.ts'

/** A webhook endpoint, with the form that it belongs to. */
export type Endpoint = FormEndpoint

export const forms = resource(() => catalogPart('forms'))
export const workspaces = resource(() => catalogPart('workspaces'))
export const users = resource(() => catalogPart('users'))
export const keys = resource(() => catalogPart('keys'))
/** The endpoints of every form, newest first. */
export const endpoints = resource(() => catalogPart('endpoints'))
/** The faults that apply to requests now. */
export const faults = resource(() => catalogPart('faults'))
/** The built-in receiver; `null` if it is not running. */
export const builtInReceiver = resource(() => catalogPart('receiver'))

/** The receivers that were started over the control API. Only the Server page reads them. */
export const receivers = resource(() => catalogPart('receivers'))

/** Where the data was pulled from; `null` if it was not. */
export const source = resource(() => catalogPart('source'))

/** The forms that are not in the trash. */
export const liveForms = computed(() => (forms.data.value ?? []).filter(({ trashed }) => !trashed))
export const formById = computed(() => new Map((forms.data.value ?? []).map((form) => [form.id, form])))
export const endpointById = computed(
  () => new Map((endpoints.data.value ?? []).map((endpoint) => [endpoint.id, endpoint])),
)
export const workspaceById = computed(
  () => new Map((workspaces.data.value ?? []).map((workspace) => [workspace.id, workspace])),
)
export const userById = computed(() => new Map((users.data.value ?? []).map((user) => [user.id, user])))

const all = [forms, workspaces, users, keys, endpoints, faults, builtInReceiver, source]

export function clearCatalog(): void {
  for (const one of [...all, receivers]) one.clear()
}

/** Reloads everything but the delivery logs, in one request. */
export function reloadCatalog(): void {
  for (const one of all) void one.refresh()
}
