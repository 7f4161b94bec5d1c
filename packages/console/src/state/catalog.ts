import type { WebhookEndpoint } from '@formwire/contract'
import type { ApiKey, BuilderForm, User, Workspace } from '@formwire/contract/control'
import { computed } from '@preact/signals'
import { listAll } from '../api.ts'
import { pooled } from './pool.ts'
import { resource } from './resource.ts'

/** A webhook endpoint, with the form that it belongs to. */
export interface Endpoint extends WebhookEndpoint {
  form_id: string
}

export const forms = resource(() => listAll<BuilderForm>('forms'))
export const workspaces = resource(() => listAll<Workspace>('workspaces'))
export const users = resource(() => listAll<User>('users'))
export const keys = resource(() => listAll<ApiKey>('keys'))

/** Number of forms whose endpoints are read concurrently. Few, so that API clients are not slowed down. */
const ENDPOINT_LANES = 4

const endpointsOf = async (formId: string): Promise<Endpoint[]> =>
  (await listAll<Endpoint>(`forms/${encodeURIComponent(formId)}/webhooks`)).map((endpoint) => ({
    ...endpoint,
    form_id: formId,
  }))

/** The endpoints of every form, newest first. */
export const endpoints = resource(async () => {
  const perForm = await pooled(await forms.fresh(), ENDPOINT_LANES, (form) => endpointsOf(form.id))
  return perForm.flat().sort((a, b) => b.id - a.id)
})

export const formById = computed(() => new Map((forms.data.value ?? []).map((form) => [form.id, form])))
export const endpointById = computed(
  () => new Map((endpoints.data.value ?? []).map((endpoint) => [endpoint.id, endpoint])),
)
export const workspaceById = computed(
  () => new Map((workspaces.data.value ?? []).map((workspace) => [workspace.id, workspace])),
)
export const userById = computed(() => new Map((users.data.value ?? []).map((user) => [user.id, user])))

const all = [forms, workspaces, users, keys, endpoints]

export function clearCatalog(): void {
  for (const one of all) one.clear()
}
