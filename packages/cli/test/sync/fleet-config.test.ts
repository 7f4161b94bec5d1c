import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import type { Context } from '../../src/context.ts'
import { readFleetConfig } from '../../src/sync/fleet-config.ts'

/** Reads the configuration of a fleet with one workspace. */
async function read(workspace: object, env: Record<string, string> = {}) {
  const path = join(temporaryDirectory(), 'fleet.mjs')
  writeFileSync(path, `export default ${JSON.stringify({ workspaces: [{ name: 'main', ...workspace }] })}`)
  const hidden: string[] = []
  const context = {
    runtime: { env },
    baseUrl: () => 'https://x.example',
    hide: (key: string) => hidden.push(key),
  }
  const { workspaces } = await readFleetConfig(context as unknown as Context, path)
  return { keys: workspaces[0]?.apiKeys, hidden, transport: workspaces[0]?.transport }
}

it('trims the keys of a fleet, and hides them', async () => {
  const keys = ['svc_own', 'svc_a']
  expect(await read({ apiKeys: [' svc_own'], apiKeyEnv: ['KEY_A'] }, { KEY_A: 'svc_a\n' })).toMatchObject({
    keys,
    hidden: keys,
  })
})

it.each<[string, object]>([
  ['KEY_A', { apiKeyEnv: ['KEY_A'] }],
  ['workspaces[0].apiKeys[1]', { apiKeys: ['svc_own', 'svc_two words'] }],
])('refuses a key that no header can carry, and names %s: exit 4', async (source, keys) => {
  await expect(read(keys, { KEY_A: 'svc_two words' })).rejects.toMatchObject({
    exitCode: 4,
    code: 'no_key',
    message: `${source} does not contain a valid API key`,
  })
})

it('sends the requests of a workspace through the proxy for its URL', async () => {
  const env = { HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: 'y.example' }
  const { transport } = await read({ apiKeys: ['svc_a'] }, env)
  const { signal } = new AbortController()
  const request = { method: 'GET', url: 'https://x.example/api/v1/me', headers: {}, body: undefined }
  await expect(
    transport?.({ ...request, maxResponseBytes: 1, signal, onAbort: () => undefined }),
  ).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  for (const baseUrl of ['https://y.example', 'http://127.0.0.1:8787', 'no URL'])
    expect((await read({ apiKeys: ['svc_a'], baseUrl }, env)).transport).toBeUndefined()
})
