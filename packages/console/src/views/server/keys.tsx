import type { ApiKey } from '@formwire/contract/control'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { keys, userById, users, workspaceById, workspaces } from '../../state/catalog.ts'
import { act } from '../../ui/announcer.tsx'
import { Button, Field, optionsOf, Select } from '../../ui/controls.tsx'
import { confirmed, revealOnce } from '../../ui/dialog.tsx'
import { openForm } from '../../ui/dialog-form.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Badge, Code, Line, Time } from '../../ui/values.tsx'

type CreatedKey = ApiKey & { key: string }

const SCOPES = Object.entries({ read: 'Read only', write: 'Read and write' })

function KeyFields() {
  const all = workspaces.data.value ?? []
  const [chosen, choose] = useState<number | undefined>(undefined)
  const workspaceId = chosen ?? all[0]?.id
  const members = new Set(all.find(({ id }) => id === workspaceId)?.members.map((member) => member.user_id))
  return (
    <>
      <Field label="Name" name="name" required maxLength={100} placeholder="CI" />
      <Select label="Access" name="scope" options={SCOPES} />
      <Select
        label="Workspace"
        name="workspace_id"
        value={workspaceId}
        options={optionsOf(all)}
        choose={(id) => choose(Number(id))}
      />
      <Select
        label="Created by"
        name="user_id"
        options={optionsOf((users.data.value ?? []).filter(({ id }) => members.has(id)))}
      />
    </>
  )
}

async function create(): Promise<void> {
  const created = await openForm(
    'Create an API key',
    'Create',
    (values) =>
      call<CreatedKey>('POST', 'keys', {
        name: String(values.get('name')).trim(),
        scope: values.get('scope'),
        workspace_id: Number(values.get('workspace_id')),
        user_id: Number(values.get('user_id')),
      }),
    <KeyFields />,
  )
  if (!created) return
  void keys.refresh()
  await revealOnce({
    title: 'Key created',
    kind: 'key',
    owner: `“${created.name}”`,
    value: created.key,
    hint: 'Copy it now. You won’t be able to see it again.',
  })
}

async function revoke(key: ApiKey): Promise<void> {
  const sure = await confirmed({
    title: 'Revoke the key?',
    text: (
      <>
        <bdi>{key.name}</bdi> ({key.prefix}…) stops working immediately: requests with it get 401.
      </>
    ),
    action: 'Revoke',
  })
  if (!sure) return
  await act(() => call('DELETE', `keys/${key.id}`), 'Key revoked')
  await keys.refresh()
}

const nameIn = (names: ReadonlyMap<number, { readonly name: string }>, id: number) => (
  <Line value={names.get(id)?.name ?? `#${id}`} />
)

const isRevoked = (key: ApiKey): boolean => key.revoked_at !== null
const prefixOf = ({ prefix }: ApiKey) => <Code value={`${prefix}…`} />

const COLUMNS: readonly TableColumn<ApiKey>[] = [
  { label: 'Status', cell: (key) => <Badge state={isRevoked(key) ? 'revoked' : 'active'} /> },
  {
    label: 'Name',
    isName: true,
    cell: (key) => (
      <>
        <Line value={key.name} />
        <div class="narrow-only muted">{prefixOf(key)}</div>
      </>
    ),
  },
  { label: 'Prefix', class: 'wide-only', cell: prefixOf },
  { label: 'Access', cell: ({ scope }) => scope },
  { label: 'Workspace', class: 'wide-only', cell: (key) => nameIn(workspaceById.value, key.workspace_id) },
  { label: 'Created by', class: 'wide-only', cell: (key) => nameIn(userById.value, key.user_id) },
  { label: 'Created', class: 'wide-only', cell: (key) => <Time at={key.created_at} /> },
  {
    label: 'Actions',
    class: 'actions',
    cell: (key) =>
      !isRevoked(key) && (
        <Button class="button small danger" run={() => revoke(key)}>
          Revoke
        </Button>
      ),
  },
]

/** API keys of all workspaces, those that work first. */
export function KeyList() {
  const list = [...(keys.data.value ?? [])].sort(
    (a, b) => Number(isRevoked(a)) - Number(isRevoked(b)) || b.id - a.id,
  )
  return (
    <>
      <div class="row between">
        <h2>API keys</h2>
        <Button run={create}>Create a key</Button>
      </div>
      <Table columns={COLUMNS} items={list} />
    </>
  )
}
