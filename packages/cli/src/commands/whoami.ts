import type { Me } from '@formwire/contract'
import { defineCommand } from '../command.ts'
import type { Field } from '../output/table.ts'

/** `formwire whoami`: shows the key, its user and workspace, and where the key comes from. */
export const whoami = defineCommand({
  path: ['whoami'],
  summary: 'show the current user, the key and where the key comes from',
  description: 'With --json, prints the data of GET /me, without the source of the key.',
  examples: {
    'formwire whoami': 'show user, workspace, role, scope, server and where the key comes from',
    'formwire whoami --profile staging --json': 'print the same as JSON for the profile "staging"',
  },
  exits: [1, 4, 5, 6],
  fields: ['user', 'workspace', 'key'],
  task: () => 'show the current user',
  async run(context) {
    const { keySource, baseUrl } = context.credentials()
    const me = await (await context.client()).me()
    if (context.output.json) return await context.output.document(me)
    await context.output.item({ me, keySource, baseUrl }, FIELDS)
  },
})

interface Identity {
  me: Me
  keySource: string
  baseUrl: string
}

const FIELDS: readonly Field<Identity>[] = [
  {
    name: 'user',
    header: 'User',
    text: ({ me }) => `${me.user.name} <${me.user.email}>`,
  },
  {
    name: 'workspace',
    header: 'Workspace',
    text: ({ me }) => `${me.workspace.name} (${me.workspace.id})`,
  },
  { name: 'role', header: 'Role', text: ({ me }) => me.workspace.role },
  { name: 'key', header: 'Key', text: ({ me }) => `${me.key.name} (${me.key.prefix}…)` },
  { name: 'scope', header: 'Scope', text: ({ me }) => me.key.scope },
  { name: 'key_source', header: 'Key from', text: ({ keySource }) => keySource },
  { name: 'base_url', header: 'Server', text: ({ baseUrl }) => baseUrl },
]
