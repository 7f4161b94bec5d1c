import type { User, Workspace } from '@formwire/contract/control'
import type { ComponentChildren } from 'preact'
import { call } from '../../api.ts'
import { count } from '../../format.ts'
import { keys, userById, users, workspaces } from '../../state/catalog.ts'
import { act, announce } from '../../ui/announcer.tsx'
import { Button, Field, optionsOf, Select } from '../../ui/controls.tsx'
import { confirmed } from '../../ui/dialog.tsx'
import { openForm } from '../../ui/dialog-form.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Line } from '../../ui/values.tsx'

const ROLES = ['owner', 'editor', 'viewer'].map((role) => [role, role] as const)

/** Reads the lists of people and keys again. */
export const refresh = async () =>
  void (await Promise.all([workspaces, users, keys].map((one) => one.refresh())))

async function change(work: () => Promise<unknown>, done: string): Promise<void> {
  await act(work, done)
  await refresh()
}

/** Asks for a name, and further fields, in a dialog and posts them. */
async function add(what: string, path: string, others?: ComponentChildren): Promise<void> {
  const added = await openForm<unknown>(
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
  announce(`${what} added`)
  await refresh()
}

async function changePassword(user: User): Promise<void> {
  const sure = await confirmed({
    title: 'Change the password?',
    text: (
      <>
        All API keys of <bdi>{user.name}</bdi> are revoked, in every workspace.
      </>
    ),
    action: 'Change password',
  })
  if (sure) await change(() => call('POST', `users/${user.id}/password`), 'Password changed and keys revoked')
}

async function removeMember(workspace: Workspace, userId: number, name: string): Promise<void> {
  const sure = await confirmed({
    title: 'Remove the member?',
    text: (
      <>
        <bdi>{name}</bdi> is removed from <bdi>{workspace.name}</bdi>. The API keys they created there are
        revoked.
      </>
    ),
    action: 'Remove',
  })
  const path = `workspaces/${workspace.id}/members/${userId}`
  if (sure) await change(() => call('DELETE', path), 'Member removed and keys revoked')
}

function WorkspaceCard({ workspace }: { workspace: Workspace }) {
  const members = workspace.members ?? []
  const others = (users.data.value ?? []).filter(
    (user) => !members.some((member) => member.user_id === user.id),
  )
  const setRole = (userId: number, role: string) =>
    change(() => call('PUT', `workspaces/${workspace.id}/members/${userId}`, { role }), 'Role changed')
  return (
    <section class="card" aria-label={workspace.name.slice(0, 200)}>
      <header class="item">
        <h3>
          <Line value={workspace.name} />
        </h3>
        <span class="type">{workspace.plan}</span>
        <span class="muted">{count(members.length, 'member')}</span>
      </header>
      <ul>
        {members.map((member) => {
          const name = userById.value.get(member.user_id)?.name ?? `User ${member.user_id}`
          return (
            <li key={member.user_id} class="bar">
              <Line value={name} />
              <span class="spring" />
              <Select
                label={`Role of ${name.slice(0, 100)}`}
                text=""
                value={member.role}
                options={ROLES}
                choose={(role) => void setRole(member.user_id, role)}
              />
              <Button
                class="button small"
                aria-label={`Remove ${name.slice(0, 100)}`}
                run={() => removeMember(workspace, member.user_id, name)}
              >
                Remove
              </Button>
            </li>
          )
        })}
        {others.length > 0 ? (
          <li class="bar">
            <form
              class="row inline-form"
              onSubmit={(event) => {
                event.preventDefault()
                const form = new FormData(event.currentTarget)
                void setRole(Number(form.get('user')), String(form.get('role')))
              }}
            >
              <Select label="User to add" text="" name="user" options={optionsOf(others)} />
              <Select label="Role" text="" name="role" options={[...ROLES].reverse()} />
              <button type="submit" class="button small">
                Add as member
              </button>
            </form>
          </li>
        ) : null}
      </ul>
    </section>
  )
}

const USER_COLUMNS: readonly TableColumn<User>[] = [
  {
    label: 'Name',
    isName: true,
    cell: ({ name, email }) => (
      <>
        <Line value={name} />
        <div class="narrow-only muted">
          <Line value={email} />
        </div>
      </>
    ),
  },
  { label: 'Email', class: 'wide-only', cell: ({ email }) => <Line value={email} /> },
  {
    label: 'Keys',
    cell: ({ id }) => {
      const own = keys.data.value?.filter((key) => key.user_id === id && key.revoked_at === null) ?? []
      return own.length > 0 ? count(own.length, 'key') : <span class="muted">no keys</span>
    },
  },
  {
    label: 'Actions',
    class: 'actions',
    cell: (user) => (
      <Button class="button small" run={() => changePassword(user)}>
        Change password
      </Button>
    ),
  },
]

const EMAIL = <Field label="Email" name="email" type="email" required maxLength={200} />

/** Workspaces with their members, and users. */
export const PeopleLists = () => (
  <>
    <div class="row between">
      <h2>Workspaces</h2>
      <Button run={() => add('Workspace', 'workspaces')}>Add a workspace</Button>
    </div>
    <div class="cards">
      {workspaces.data.value?.map((workspace) => (
        <WorkspaceCard key={workspace.id} workspace={workspace} />
      ))}
    </div>
    <div class="row between">
      <h2>Users</h2>
      <Button run={() => add('User', 'users', EMAIL)}>Add a user</Button>
    </div>
    <Table columns={USER_COLUMNS} items={users.data.value ?? []} />
  </>
)
