import type { ApiKey } from '@formwire/contract/control'
import { useEffect, useState } from 'preact/hooks'
import { call, serverUrl } from '../api.ts'
import { count } from '../format.ts'
import { keys, userById, users, workspaceById, workspaces } from '../state/catalog.ts'
import { act } from '../ui/announcer.tsx'
import { Button, Field, optionsOf, Select } from '../ui/controls.tsx'
import { confirmed, revealOnce } from '../ui/dialog.tsx'
import { openForm } from '../ui/dialog-form.tsx'
import { Filters, QuerySearch, searchWords } from '../ui/filters.tsx'
import { Empty, NoRows, Stale } from '../ui/loading.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { Badge, Code, Line, Time } from '../ui/values.tsx'
import { Heading } from './heading.tsx'

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
    command: `export FORMWIRE_BASE_URL=${serverUrl()} FORMWIRE_API_KEY=${created.key}`,
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

/** API keys of all workspaces. */
export function KeysView() {
  useEffect(() => {
    for (const one of [keys, users, workspaces]) void one.freshen()
  }, [])
  const text = searchWords()
  const all = keys.data.value ?? []
  const list = [...all]
    .sort((a, b) => Number(isRevoked(a)) - Number(isRevoked(b)) || b.id - a.id)
    .filter((key) => `${key.name}\n${key.prefix}\n${key.scope}`.toLowerCase().includes(text))
  const revoked = list.filter(isRevoked).length
  // The navigation counts those that work.
  const working = count(list.length - revoked, 'active key')
  return (
    <>
      <Heading
        title="Keys"
        actions={
          <Button class="button primary" run={create}>
            Create a key
          </Button>
        }
      />
      <Filters tally={revoked === 0 ? working : `${working}, ${revoked} revoked`}>
        <QuerySearch label="Search name, prefix, access" />
      </Filters>
      <Stale of={[keys, users, workspaces]} />
      {list.length > 0 ? (
        <div class="scroll">
          <Table columns={COLUMNS} items={list} />
        </div>
      ) : (
        <NoRows of={keys} what="keys" total={all.length}>
          <Empty
            title="No keys yet"
            icon="keys"
            command={`curl ${serverUrl()}/_app/keys -H "Authorization: Bearer $FORMWIRE_ADMIN_TOKEN" -H 'Content-Type: application/json' -d '{"name":"CI","scope":"write"}'`}
          >
            Create one with the button above, or from the shell. Set FORMWIRE_ADMIN_TOKEN to the admin token
            printed at startup:
          </Empty>
        </NoRows>
      )}
    </>
  )
}
