import type { ApiKey, User, Workspace } from '@formwire/contract/control'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { call } from '../../api.ts'
import { count, day, quoted } from '../../format.ts'
import { keys, userById, users, workspaces } from '../../state/catalog.ts'
import { act, announce } from '../../ui/announcer.tsx'
import { Button, Field, optionsOf, Select } from '../../ui/controls.tsx'
import { confirmed, openForm, revealOnce } from '../../ui/dialog.tsx'
import { NotLoaded, Stale } from '../../ui/loading.tsx'
import { MenuButton, type MenuItems } from '../../ui/menu.tsx'
import { Badge, Line } from '../../ui/values.tsx'

const ROLES = ['viewer', 'editor', 'owner'] as const
const SCOPES = Object.entries({ read: 'Read only', write: 'Read and write' })
const LISTS = [keys, workspaces, users]

/** Reads the lists of people and keys again. */
const refresh = async () => void (await Promise.all(LISTS.map((one) => one.refresh())))

/** Changes something, after a question if it cannot be undone. */
async function change(
  work: () => Promise<unknown>,
  done: string,
  question?: Parameters<typeof confirmed>[0],
): Promise<void> {
  if (question && !(await confirmed(question))) return
  await act(work, done)
  await refresh()
}

/** Asks for a name, and further fields, in a dialog and posts them. */
async function add(what: string, path: string, others?: ComponentChildren): Promise<void> {
  const added = await openForm<{ name: unknown }>(
    `Add a ${what.toLowerCase()}`,
    'Add',
    (values) => {
      for (const [name, value] of values) values.set(name, String(value).trim())
      return call('POST', path, Object.fromEntries(values))
    },
    <>
      <Field label="Name" name="name" required maxLength={200} />
      {others}
    </>,
  )
  if (added === undefined) return
  announce(`Added ${quoted(String(added.name))}`)
  await refresh()
}

async function addMember({ id, name, members }: Workspace): Promise<void> {
  const others = (users.data.value ?? []).filter((user) => members.every((one) => one.user_id !== user.id))
  const added = await openForm(
    'Add a member',
    'Add',
    async (values) => {
      const user = Number(values.get('user'))
      await call('PUT', `workspaces/${id}/members/${user}`, { role: values.get('role') })
      return others.find((one) => one.id === user)
    },
    <>
      <Select label="User" name="user" options={optionsOf(others)} />
      <Select label="Role" name="role" options={ROLES.map((role) => [role, role])} />
    </>,
  )
  if (!added) return
  announce(`Added ${quoted(added.name)} to ${quoted(name)}`)
  await refresh()
}

async function createKey({ id, members }: Workspace): Promise<void> {
  const people = members.flatMap(({ user_id: userId }) => userById.value.get(userId) ?? [])
  const created = await openForm(
    'Create an API key',
    'Create',
    (values) =>
      call<ApiKey & { key: string }>('POST', 'keys', {
        name: String(values.get('name')).trim(),
        scope: values.get('scope'),
        workspace_id: id,
        user_id: Number(values.get('user_id')),
      }),
    <>
      <Field label="Name" name="name" required maxLength={100} placeholder="CI" />
      <Select label="Access" name="scope" options={SCOPES} />
      <Select label="Created by" name="user_id" options={optionsOf(people)} />
    </>,
  )
  if (!created) return
  void keys.refresh()
  await revealOnce({
    title: 'Key created',
    kind: 'key',
    value: created.key,
    hint: 'Copy it now.',
  })
}

const revoke = ({ id, name, prefix }: ApiKey) =>
  change(() => call('DELETE', `keys/${id}`), `Revoked ${quoted(name)}`, {
    title: 'Revoke the key?',
    text: (
      <>
        <bdi>{name}</bdi> ({prefix}…) stops working immediately: requests with it get 401.
      </>
    ),
    action: 'Revoke',
  })

const changePassword = ({ id, name }: User) =>
  change(
    () => call('POST', `users/${id}/password`),
    `Changed the password of ${quoted(name)} and revoked its keys`,
    {
      title: 'Change the password?',
      text: (
        <>
          All API keys of <bdi>{name}</bdi> are revoked, in every workspace.
        </>
      ),
      action: 'Change password',
    },
  )

const removeMember = (workspace: Workspace, { id, name }: User) =>
  change(
    () => call('DELETE', `workspaces/${workspace.id}/members/${id}`),
    `Removed ${quoted(name)} from ${quoted(workspace.name)} and revoked the keys`,
    {
      title: 'Remove the member?',
      text: (
        <>
          <bdi>{name}</bdi> is removed from <bdi>{workspace.name}</bdi>. The API keys they created there are
          revoked.
        </>
      ),
      action: 'Remove',
    },
  )

interface ItemProps {
  readonly name: string
  readonly about: string
  readonly state: string
  readonly items: MenuItems
}

/** A person or a key: its name above what is known of it, beside its state and its menu. */
const Item = ({ name, about, state, items }: ItemProps) => (
  <li class="bar">
    <div class="stack spring person">
      <Line value={name} />
      <Line value={about} class="hint" />
    </div>
    <Badge state={state} />
    {items.length > 0 ? <MenuButton label={`Actions of ${name.slice(0, 100)}`} items={() => items} /> : null}
  </li>
)

const passwordItem = (user: User) => ({ text: 'Change password', run: () => void changePassword(user) })

function memberItem(workspace: Workspace, user: User, role: string) {
  const path = `workspaces/${workspace.id}/members/${user.id}`
  const items: MenuItems = [
    ...ROLES.map((text) => ({
      text,
      icon: text === role ? ('check' as const) : undefined,
      run: () => void change(() => call('PUT', path, { role: text }), `${quoted(user.name)} is now ${text}`),
    })),
    passwordItem(user),
    { text: 'Remove', isDanger: true, run: () => void removeMember(workspace, user) },
  ]
  return <Item key={user.id} name={user.name} about={user.email} state={role} items={items} />
}

const isRevoked = (key: ApiKey): boolean => key.revoked_at !== null

/** How many keys of a user work. */
function keysText({ id }: User): string {
  const own = keys.data.value?.filter((key) => key.user_id === id && !isRevoked(key)) ?? []
  return own.length === 0 ? 'no keys' : count(own.length, 'key')
}

function keyItem(key: ApiKey) {
  const items = isRevoked(key) ? [] : [{ text: 'Revoke', isDanger: true, run: () => void revoke(key) }]
  const creator = userById.value.get(key.user_id)?.name ?? `#${key.user_id}`
  const about = [`${key.prefix}…`, key.scope, day(Date.parse(key.created_at)), `by ${creator}`]
  const state = isRevoked(key) ? 'revoked' : 'active'
  return <Item key={key.id} name={key.name} about={about.join(', ')} state={state} items={items} />
}

function WorkspaceCard({ workspace }: { workspace: Workspace }) {
  const { id, name, plan, members } = workspace
  // Those that work first.
  const own = (keys.data.value ?? [])
    .filter((key) => key.workspace_id === id)
    .sort((a, b) => Number(isRevoked(a)) - Number(isRevoked(b)) || b.id - a.id)
  return (
    <section class="card" aria-label={name.slice(0, 200)}>
      <header class="item">
        <h2>
          <Line value={name} />
        </h2>
        <span class="type">{plan}</span>
      </header>
      <header class="item between">
        <h3>{count(members.length, 'member')}</h3>
        <Button
          class="button small"
          isOff={members.length >= (users.data.value?.length ?? 0)}
          run={() => addMember(workspace)}
        >
          Add a member
        </Button>
      </header>
      <ul>
        {members.map(({ user_id: userId, role }) => {
          // Another program may have added both a moment ago.
          const unknown = { id: userId, name: `User ${userId}`, email: '', workspaces: [] }
          return memberItem(workspace, userById.value.get(userId) ?? unknown, role)
        })}
      </ul>
      <header class="item between">
        <h3>{count(own.length, 'API key')}</h3>
        <Button class="button small" isOff={members.length === 0} run={() => createKey(workspace)}>
          Create a key
        </Button>
      </header>
      <ul>{own.map(keyItem)}</ul>
    </section>
  )
}

/** Who can do what: a card for each workspace with its members and API keys, and one for the users of none. */
export function Access() {
  useEffect(() => void refresh(), [])
  const missing = LISTS.find(({ data }) => !data.value)
  const all = workspaces.data.value ?? []
  const members = new Set(all.flatMap((one) => one.members.map(({ user_id: id }) => id)))
  const others = (users.data.value ?? []).filter(({ id }) => !members.has(id))
  if (missing) return <NotLoaded of={{ ...missing, refresh }} what="keys and people" />
  return (
    <>
      <Stale of={LISTS} />
      <div class="stack scroll page">
        <div class="row">
          <Button run={() => add('Workspace', 'workspaces')}>Add a workspace</Button>
          <Button
            run={() =>
              add('User', 'users', <Field label="Email" name="email" type="email" required maxLength={200} />)
            }
          >
            Add a user
          </Button>
        </div>
        <div class="cards">
          {all.map((workspace) => (
            <WorkspaceCard key={workspace.id} workspace={workspace} />
          ))}
          {others.length > 0 ? (
            <section class="card" aria-label="Users without a workspace">
              <h2>Without a workspace</h2>
              <ul>
                {others.map((user) => (
                  <Item
                    key={user.id}
                    name={user.name}
                    about={user.email}
                    state={keysText(user)}
                    items={[passwordItem(user)]}
                  />
                ))}
              </ul>
            </section>
          ) : null}
        </div>
      </div>
    </>
  )
}
