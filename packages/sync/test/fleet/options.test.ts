import type { Transport } from '@formwire/sdk'
import { describe, expect, it } from 'vitest'
import { isSupported } from '../../src/engine/boss.ts'
import { createFleet, type FleetOptions } from '../../src/fleet/index.ts'
import { readFleetOptions } from '../../src/fleet/options.ts'
import { Workspace } from '../../src/fleet/workspace.ts'

const workspace = { name: 'eu', apiKeys: ['svc_secret'] }

describe('createFleet()', () => {
  it.each<[string, object, string]>([
    ['no workspace', { workspaces: [] }, '"workspaces" must be a list of workspaces, got an empty list.'],
    [
      'an unknown option',
      { workspaces: [workspace], workers: 2 },
      'createFleet(): unknown name "workers"; use one of connectionString, workspaces,',
    ],
    [
      'an unknown member of a workspace',
      { workspaces: [workspace, { ...workspace, name: 'us', key: 'svc_secret' }] },
      'workspaces[1]: unknown name "key"; use one of name, apiKeys,',
    ],
    [
      'a name twice',
      { workspaces: [workspace, workspace] },
      '"workspaces[1].name" must be a name of its own, got "eu".',
    ],
    [
      'a name with a slash',
      { workspaces: [{ ...workspace, name: 'e/u' }] },
      '"workspaces[0].name" must be a name of letters, digits, ".", "_" and "-", got "e/u".',
    ],
    [
      'no key',
      { workspaces: [{ name: 'eu', apiKeys: [] }] },
      '"workspaces[0].apiKeys" must be a list of one or more keys, none of them empty.',
    ],
    [
      'an empty key',
      { workspaces: [{ name: 'eu', apiKeys: ['svc_secret', ''] }] },
      '"workspaces[0].apiKeys" must be a list of one or more keys, none of them empty.',
    ],
    [
      'a key in place of a list',
      { workspaces: [{ name: 'eu', apiKeys: 'svc_secret' }] },
      '"workspaces[0].apiKeys" must be a list of one or more keys, none of them empty.',
    ],
    [
      'forms that are no ids',
      { workspaces: [{ ...workspace, forms: [1] }] },
      '"workspaces[0].forms" must be "all" or a list of form ids, got a list.',
    ],
    [
      'a short interval',
      { workspaces: [workspace], intervalMs: 10 },
      '"intervalMs" must be a number of milliseconds from 1000, got 10.',
    ],
    [
      'a concurrency of none',
      { workspaces: [workspace], concurrency: 0 },
      '"concurrency" must be a positive integer, got 0.',
    ],
    [
      'half a connection',
      { workspaces: [workspace], poolSize: 0.5 },
      '"poolSize" must be a positive integer, got 0.5.',
    ],
    [
      'erasure without deletions',
      { workspaces: [workspace], deleted: 'erase', deletions: false },
      '"deleted" cannot be "erase" with "deletions" false',
    ],
  ])('refuses %s', (_what, options, message) => {
    expect(() => createFleet(options as FleetOptions)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }),
    )
    expect(() => createFleet(options as FleetOptions)).not.toThrow(/svc_secret/)
  })

  it('refuses handlers without the name of one of several workspaces', async () => {
    const baseUrl = 'http://127.0.0.1:1'
    const workspaces = ['eu', 'us'].map((name) => ({ name, apiKeys: ['svc_secret'], baseUrl }))
    const fleet = createFleet({ workspaces })
    const message = 'handlers() requires the name of a workspace: "eu", "us".'
    expect(() => fleet.handlers()).toThrow(message)
    expect(() => fleet.handlers('asia')).toThrow(message)
    expect(fleet.handlers('us')).toHaveProperty(['response.submitted'])
    await fleet.stop()
  })

  it('sends the requests of a workspace by its transport', async () => {
    const sent: string[] = []
    const transport: Transport = async ({ url }) => {
      sent.push(url)
      return { status: 200, headers: new Headers(), body: '{"data":{}}' }
    }
    const one = { ...workspace, baseUrl: 'https://x.example', transport }
    const settings = readFleetOptions({ workspaces: [one], rateLimit: false })
    await new Workspace(settings, one, { root: {}, budget: {} } as never).key().formwire.me()
    expect(sent).toEqual(['https://x.example/api/v1/me'])
  })

  it.skipIf(isSupported(process.versions.node))('does not start on an older Node', async () => {
    const fleet = createFleet({ workspaces: [{ ...workspace, baseUrl: 'http://127.0.0.1:1' }] })
    await expect(fleet.start()).rejects.toMatchObject({ name: 'StoreError', code: 'unsupported_node' })
    await fleet.stop()
  })
})
