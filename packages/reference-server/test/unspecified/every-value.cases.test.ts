import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { readFlags } from '../../src/bin/arguments.ts'
import { serve } from '../../src/bin/serve.ts'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'
import { UNSPECIFIED, type UnspecifiedKey } from '../../src/unspecified.ts'
import { undocumented } from '../conformance/openapi.ts'
import { SHOWN } from './shown.ts'
import { START, type World } from './world.ts'

const API = '/api/v1'

type Choice = Readonly<Record<string, string>>

const inProcess = async (unspecified: Choice): Promise<World> =>
  worldOf(createReferenceServer({ clock: 'manual', now: START, unspecified }), undefined)

/** A server that the program's flags start. */
async function onPort(choice: Choice): Promise<World> {
  const file = join(temporaryDirectory(), 'choice.json')
  await writeFile(file, JSON.stringify(choice))
  const flags = `--port 0 --seed empty --clock manual --now ${START} --unspecified`.split(' ')
  const { server, url } = await serve(readFlags([...flags, file], {}))
  return worldOf(server, url)
}

function worldOf(server: ReferenceServer, url: string | undefined): World {
  const send: typeof fetch =
    url === undefined ? (input, init) => server.fetch(input as string, init) : (...call) => fetch(...call)
  return {
    server,
    url,
    async ask(method, path, json, headers) {
      const token = path.startsWith('/api/') ? server.writeKey : server.adminToken
      const answer = await send(`${url ?? 'http://formwire.test'}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      })
      const text = await answer.text()
      const { status } = answer
      // One transport is enough, and this one drops no header.
      if (url === undefined && path.startsWith(`${API}/`)) {
        const told = { method, path: path.slice(API.length), status, headers: answer.headers, text }
        expect(undocumented(told)).toBeUndefined()
      }
      return { status, headers: answer.headers, text, json: text && JSON.parse(text) }
    },
  }
}

async function shown(key: UnspecifiedKey, choice: Choice, open = inProcess): Promise<string> {
  const world = await open(choice)
  try {
    return await SHOWN[key](world)
  } finally {
    await world.server.close()
  }
}

describe.each(Object.entries(UNSPECIFIED))('unspecified: %s', (key, values) => {
  it.each(values)('shows %s when it is chosen', async (value) => {
    expect(await shown(key as UnspecifiedKey, { [key]: value })).toBe(value)
  })
})

describe('--unspecified FILE', () => {
  it.each([
    ['compression', 'none'],
    ['compression', 'gzip'],
    ['webhookDelete', '204'],
  ] as const)('shows %s %s on a port', async (key, value) => {
    expect(await shown(key, { [key]: value }, onPort)).toBe(value)
  })
})
