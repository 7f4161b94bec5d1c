import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { readFlags, UsageError } from '../src/bin/arguments.ts'
import { type Serving, serve } from '../src/bin/serve.ts'
import { createReferenceServer } from '../src/index.ts'

let folder = ''
let file = ''

beforeEach(() => {
  folder = temporaryDirectory()
  file = join(folder, 'state.json')
})

async function start(...flags: string[]): Promise<Serving> {
  const serving = await serve(readFlags(['--port', '0', '--seed', 'empty', '--state', file, ...flags], {}))
  onTestFinished(() => serving.server.close())
  return serving
}

async function stop(serving: Serving): Promise<void> {
  await serving.server.close()
  serving.saveState()
}

/** Starts and stops a server on the file. */
async function visit(use: (serving: Serving) => unknown, ...flags: string[]): Promise<void> {
  const serving = await start(...flags)
  await use(serving)
  await stop(serving)
}

const statusOf = async ({ server }: Serving, key: string): Promise<number> =>
  (await server.fetch('http://formwire.test/api/v1/me', { headers: { authorization: `Bearer ${key}` } }))
    .status

const refusal = async (...flags: string[]): Promise<string> => {
  const error = await start(...flags).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(UsageError)
  return (error as UsageError).message
}

const snapshotText = (): string => JSON.stringify(createReferenceServer().app.snapshot.take())

describe('formwire-server --state', () => {
  it('saves on exit and continues from there, whatever the seed', async () => {
    const made = { id: '', response: 0 }
    await visit(({ server }) => {
      made.id = server.app.forms.create({ title: 'Kept', questions: [] }).id
      server.app.forms.publish(made.id)
      server.app.responses.create(made.id, { answers: [] })
      made.response = server.app.responses.create(made.id, { answers: [] }).id
      server.app.responses.delete(made.id, made.response)
    })
    expect(await readdir(folder)).toEqual(['state.json'])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await visit(
      ({ server }) => {
        expect(server.app.forms.list().map(({ title, response_count }) => [title, response_count])).toEqual([
          ['Kept', 1],
        ])
        // [RESP-04] The id of the deleted response is not used again.
        expect(server.app.responses.create(made.id, { answers: [] }).id).toBe(made.response + 1)
      },
      '--seed',
      'demo',
    )
  })

  it('[AUTH-08] prints two new keys at each start, and earlier ones keep working without counting', async () => {
    const keys: string[] = []
    for (let starts = 0; starts < 7; starts += 1) {
      await visit(async (serving) => {
        const { server } = serving
        keys.push(server.writeKey, server.readKey)
        expect([server.workspaceId, server.userId]).toEqual([1, 1])
        for (const key of keys) expect(await statusOf(serving, key)).toBe(200)
      })
    }
    expect(new Set(keys).size).toBe(14)
    const serving = await start()
    const { app } = serving.server
    for (let count = 0; count < 8; count += 1) app.keys.create({ name: `Key ${count}`, scope: 'read' })
    expect(() => app.keys.create({ name: 'One too many', scope: 'read' })).toThrow(
      'already has 10 active keys',
    )
    app.reset()
    expect(await statusOf(serving, serving.server.writeKey)).toBe(200)
    expect(await statusOf(serving, keys[0] as string)).toBe(200)
    const revoked = app.keys.list()[0]?.id as number
    app.keys.revoke(revoked)
    await stop(serving)
    await visit(async (again) => expect(await statusOf(again, keys[0] as string)).toBe(401))
  })

  it('goes back to what was loaded on a reset, clock included', async () => {
    await visit(
      async ({ server }) => {
        server.app.forms.create({ title: 'Loaded' })
        await server.clock.advance('36h')
      },
      '--clock',
      'manual',
      '--now',
      '2026-11-21T09:30:00Z',
    )
    const { server } = await start('--clock', 'manual', '--now', '2020-01-01T00:00:00Z')
    expect(new Date(server.clock.now()).toISOString()).toBe('2026-11-22T21:30:00.000Z')
    server.app.forms.create({ title: 'New' })
    await server.clock.advance('1h')
    server.app.reset()
    expect(server.app.forms.list().map(({ title }) => title)).toEqual(['Loaded'])
    expect(new Date(server.clock.now()).toISOString()).toBe('2026-11-22T21:30:00.000Z')
  })

  it('[DLV-06] continues pending deliveries', async () => {
    await visit(
      async ({ server }) => {
        const { id } = server.app.forms.create({ title: 'Kept' })
        server.app.forms.publish(id)
        await server.app.webhooks.create(id, { url: 'http://127.0.0.1:9/' })
        server.app.responses.create(id, { answers: [], deliver: true })
        await server.clock.advance(0)
      },
      '--clock',
      'manual',
    )
    const { server } = await start('--clock', 'manual')
    const [form] = server.app.forms.list()
    const log = () => server.app.deliveries.list(form?.id ?? '', 1).map(({ attempts }) => attempts)
    expect(log()).toEqual([1])
    await server.clock.advance('1m')
    expect(log()).toEqual([2])
  })

  it('writes what PUT /_app/snapshot takes, and takes what GET /_app/snapshot returned', async () => {
    const { server } = await start()
    const ask = (method: string, body?: string) =>
      server.fetch('http://127.0.0.1/_app/snapshot', {
        method,
        headers: { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body }),
      })
    await writeFile(file, await (await ask('GET')).text())
    await visit(({ server: loaded }) => loaded.app.forms.create({ title: 'Saved' }))
    expect((await ask('PUT', await readFile(file, 'utf8'))).status).toBe(200)
    expect(server.app.forms.list().map(({ title }) => title)).toEqual(['Saved'])
  })

  it('narrows the mode of a file that others may read', async () => {
    await writeFile(file, snapshotText())
    await chmod(file, 0o644)
    await start()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('writes the file that a link leads to', async () => {
    const link = join(folder, 'link.json')
    await writeFile(file, snapshotText())
    await symlink(file, link)
    const serving = await serve(readFlags(['--port', '0', '--state', link], {}))
    serving.server.app.forms.create({ title: 'Through the link' })
    await stop(serving)
    expect(await readFile(file, 'utf8')).toContain('Through the link')
    expect((await readdir(folder)).sort()).toEqual(['link.json', 'state.json'])
  })

  const broken = snapshotText().replace('"business"', '"gold"')
  const ownerless = snapshotText().replace('"role":"owner"', '"role":"viewer"')
  it.each([
    ['is cut off', snapshotText().slice(0, 200), 'not valid JSON.'],
    ['is in UTF-16', '{\0}\0', 'in UTF-16; save it as UTF-8.'],
    ['is empty', '', 'not valid JSON.'],
    ['is an array', '[]', 'not a snapshot.'],
    [
      'is a package manifest',
      '{"name":"x"}',
      'Not a snapshot: expected the body returned by GET /_app/snapshot.',
    ],
    ['is damaged', broken, 'The snapshot is damaged: state.people.workspaces[0].plan must be one of'],
    [
      'is of another version',
      snapshotText().replace('"version":1', '"version":2'),
      'this server reads version 1',
    ],
    ['is of another format', snapshotText().replace('{', '{"version":2,'), 'version is 2, but this server'],
    ['has no owner', ownerless, 'no workspace with an owner or an editor'],
  ])('refuses a file that %s and leaves it alone', async (_what, text, message) => {
    await writeFile(file, text)
    await chmod(file, 0o644)
    const refused = await refusal()
    expect(refused).toContain(
      `--state ${file}: ${message.startsWith('no ') || message.startsWith('this ') ? '' : message}`,
    )
    expect(refused).toContain(message)
    expect(refused).toContain('The file is unchanged; move it away to start from --seed.')
    expect(await readFile(file, 'utf8')).toBe(text)
    expect((await stat(file)).mode & 0o777).toBe(0o644)
    expect(await readdir(folder)).toEqual(['state.json'])
  })

  it('refuses a path that cannot be a file', async () => {
    await mkdir(join(folder, 'directory'))
    expect(await refusal('--state', join(folder, 'directory'))).toContain('not a regular file.')
    expect(await refusal('--state', join(folder, 'missing', 'x.json'))).toContain(
      'cannot write the file (ENOENT).',
    )
    await writeFile(file, snapshotText())
    expect(await refusal('--state', join(file, 'x.json'))).toContain('(ENOTDIR).')
    expect(await refusal('--state', '')).toBe('--state must not be empty.')
  })

  it('leaves the file alone when the port is in use', async () => {
    const { url } = await start()
    await writeFile(file, snapshotText())
    const before = await readFile(file, 'utf8')
    expect(await refusal('--port', new URL(url).port)).toContain('already in use')
    expect(await readFile(file, 'utf8')).toBe(before)
  })

  it('leaves what is there, and no other file, when saving fails', async () => {
    await writeFile(file, snapshotText())
    const serving = await start()
    await serving.server.close()
    await rm(file)
    await mkdir(file)
    expect(() => serving.saveState()).toThrow(`cannot save the state to ${file} (`)
    expect(await readdir(folder)).toEqual(['state.json'])
    await rm(folder, { recursive: true })
    expect(() => serving.saveState()).toThrow('(ENOENT); the file is unchanged')
    await mkdir(folder)
  })
})

describe('createReferenceServer({ snapshot })', () => {
  it('refuses what is not a snapshot, and a seed beside it', () => {
    expect(() => createReferenceServer({ snapshot: {} })).toThrow('snapshot: Not a snapshot')
    const { app } = createReferenceServer()
    expect(() => createReferenceServer({ snapshot: app.snapshot.take(), seed: 'empty' })).toThrow(
      'seed and snapshot cannot be combined; pass one of them.',
    )
  })
})
