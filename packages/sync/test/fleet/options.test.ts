import type { Transport } from '@formwire/sdk'
import { describe, expect, it } from 'vitest'
import { createFleet, type FleetOptions } from '../../src/fleet/index.ts'
import { readFleetOptions } from '../../src/fleet/options.ts'
import { Workspace } from '../../src/fleet/workspace.ts'

const workspace = { name: 'eu', apiKeys: ['svc_secret'] }

describe('createFleet()', () => {
  const refuse = (options: object, message: string): void => {
    const create = () => createFleet({ workspaces: [workspace], ...options } as FleetOptions)
    expect(create).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }),
    )
    expect(create).not.toThrow(/svc_secret/)
  }

  it.each<[object, string]>([
    [{ workspaces: [] }, '"workspaces" must be a list of workspaces, got an empty list.'],
    [{ workers: 2 }, 'createFleet(): unknown name "workers"; use one of connectionString, workspaces,'],
    [{ intervalMs: 10 }, '"intervalMs" must be a number of milliseconds from 1000, got 10.'],
    [{ concurrency: 0 }, '"concurrency" must be a positive integer, got 0.'],
    [{ poolSize: 0.5 }, '"poolSize" must be a positive integer, got 0.5.'],
    [{ deleted: 'erase', deletions: false }, '"deleted" cannot be "erase" with "deletions" false'],
  ])('refuses %j', refuse)

  const NO_KEYS = 'apiKeys" must be a list of one or more keys, none of them empty.'
  it.each<[object, string]>([
    [{ key: 'svc_secret' }, 'workspaces[1]: unknown name "key"; use one of name, apiKeys,'],
    [{ name: 'eu' }, '"workspaces[1].name" must be a name of its own, got "eu".'],
    [{ name: 'e/u' }, '].name" must be a name of letters, digits, ".", "_" and "-", got "e/u".'],
    [{ apiKeys: [] }, `"workspaces[1].${NO_KEYS}`],
    [{ apiKeys: ['svc_secret', ''] }, `"workspaces[1].${NO_KEYS}`],
    [{ apiKeys: 'svc_secret' }, `"workspaces[1].${NO_KEYS}`],
    [{ forms: [1] }, '"workspaces[1].forms" must be "all" or a list of form ids, got a list.'],
  ])('refuses a workspace with %j', (members, message) =>
    refuse({ workspaces: [workspace, { ...workspace, name: 'us', ...members }] }, message),
  )

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
})
