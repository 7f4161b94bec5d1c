import type { ApiKey } from '@formwire/contract/control'
import { useEffect, useState } from 'preact/hooks'
import { call, serverUrl } from '../api.ts'
import { count } from '../format.ts'
import { keys, userById, users, workspaceById, workspaces } from '../state/catalog.ts'
import { act } from '../ui/act.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { confirmed, type Dialog, openDialog, revealOnce } from '../ui/dialog.tsx'
import { DialogForm } from '../ui/dialog-form.tsx'
import { Empty, isLoaded, NotLoaded } from '../ui/empty.tsx'
import { Filters, QuerySearch, searchWords } from '../ui/filters.tsx'
import { Stale } from '../ui/stale.tsx'
import { Code, Line } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { Heading } from './heading.tsx'

type CreatedKey = ApiKey & { key: string }

function KeyForm({ dialog }: { dialog: Dialog<CreatedKey> }) {
  const all = workspaces.data.value ?? []
  const [chosen, choose] = useState<number | undefined>(undefined)
  const workspaceId = chosen ?? all[0]?.id
  const members = new Set(all.find(({ id }) => id === workspaceId)?.members.map((member) => member.user_id))
  return (
    <DialogForm
      action="Create"
      dialog={dialog}
      submit={(values) =>
        call<CreatedKey>('POST', 'keys', {
          name: String(values.get('name')).trim(),
          scope: String(values.get('scope')),
          workspace_id: Number(values.get('workspace_id')),
          user_id: Number(values.get('user_id')),
        })
      }
    >
      <label>
        Name
        <input name="name" required maxLength={100} placeholder="CI" autocomplete="off" />
      </label>
      <label>
        Access
        <select name="scope">
          <option value="read">Read only</option>
          <option value="write">Read and write</option>
        </select>
      </label>
      <label>
        Workspace
        <select
          name="workspace_id"
          value={workspaceId}
          onChange={(event) => choose(Number(event.currentTarget.value))}
        >
          {all.map((workspace) => (
            <option key={workspace.id} value={workspace.id}>
              {workspace.name.slice(0, 80)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Created by
        <select name="user_id">
          {(users.data.value ?? [])
            .filter(({ id }) => members.has(id))
            .map((user) => (
              <option key={user.id} value={user.id}>
                {user.name.slice(0, 80)}
              </option>
            ))}
        </select>
      </label>
    </DialogForm>
  )
}

async function create(): Promise<void> {
  const created = await openDialog<CreatedKey>('Create an API key', (dialog) => <KeyForm dialog={dialog} />)
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

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const isRevoked = apiKey.revoked_at !== null
  return (
    <tr>
      <td>
        <Badge state={isRevoked ? 'revoked' : 'active'} />
      </td>
      <th scope="row">
        <Line value={apiKey.name} />
        <div class="narrow-only muted">
          <Code value={`${apiKey.prefix}…`} />
        </div>
      </th>
      <td class="wide-only">
        <Code value={`${apiKey.prefix}…`} />
      </td>
      <td>{apiKey.scope}</td>
      <td class="wide-only">
        <Line value={workspaceById.value.get(apiKey.workspace_id)?.name ?? `#${apiKey.workspace_id}`} />
      </td>
      <td class="wide-only">
        <Line value={userById.value.get(apiKey.user_id)?.name ?? `#${apiKey.user_id}`} />
      </td>
      <td class="wide-only">
        <Time at={apiKey.created_at} />
      </td>
      <td class="actions">
        {isRevoked ? null : (
          <Button class="button small danger" run={() => revoke(apiKey)}>
            Revoke
          </Button>
        )}
      </td>
    </tr>
  )
}

/** The navigation counts those that work. */
function tallyOf(list: readonly ApiKey[]): string {
  const revoked = list.filter((key) => key.revoked_at !== null).length
  const working = count(list.length - revoked, 'active key')
  return revoked === 0 ? working : `${working}, ${revoked} revoked`
}

/** API keys of all workspaces. */
export function KeysView() {
  useEffect(() => {
    for (const one of [keys, users, workspaces]) void one.freshen()
  }, [])
  const text = searchWords()
  const all = keys.data.value ?? []
  const list = [...all]
    .sort((a, b) => Number(a.revoked_at !== null) - Number(b.revoked_at !== null) || b.id - a.id)
    .filter((key) => `${key.name}\n${key.prefix}\n${key.scope}`.toLowerCase().includes(text))
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
      <Filters tally={tallyOf(list)}>
        <QuerySearch label="Search name, prefix, access" />
      </Filters>
      <Stale of={[keys, users, workspaces]} />
      {list.length > 0 ? (
        <div class="scroll">
          <table class="plain-table">
            <thead>
              <tr>
                <th scope="col">Status</th>
                <th scope="col">Name</th>
                <th scope="col" class="wide-only">
                  Prefix
                </th>
                <th scope="col">Access</th>
                <th scope="col" class="wide-only">
                  Workspace
                </th>
                <th scope="col" class="wide-only">
                  Created by
                </th>
                <th scope="col" class="wide-only">
                  Created
                </th>
                <th scope="col">Actions</th>
              </tr>
            </thead>
            <tbody>
              {list.map((key) => (
                <KeyRow key={key.id} apiKey={key} />
              ))}
            </tbody>
          </table>
        </div>
      ) : !isLoaded(keys) ? (
        <NotLoaded of={keys} what="the keys" />
      ) : all.length > 0 ? (
        <Empty title="No matching keys">Try a different search.</Empty>
      ) : (
        <Empty
          title="No keys yet"
          icon="keys"
          command={`curl ${serverUrl()}/_app/keys -H "Authorization: Bearer $FORMWIRE_ADMIN_TOKEN" -H 'Content-Type: application/json' -d '{"name":"CI","scope":"write"}'`}
        >
          Create one with the button above, or from the shell. Set FORMWIRE_ADMIN_TOKEN to the admin token,
          from the URL printed at startup:
        </Empty>
      )}
    </>
  )
}
