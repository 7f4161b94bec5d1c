import { once } from 'node:events'
import { createServer } from 'node:http'
import { createReferenceServer } from '@formwire/reference-server'

/** A form whose responses come and go between the requests of a client. */
export interface ChangingList {
  url: string
  apiKey: string
  formId: string
  /** Ids of the responses that were there at any time, and of those that still are. */
  created: Set<number>
  live: Set<number>
  /** Id of the response that was inserted after all other changes; undefined before. */
  lastId: () => number | undefined
  close(): Promise<void>
}

const CHANGES = 60

/** Starts a server with some responses that inserts and deletes responses before each of the first requests. */
export async function startChangingList(seed: number, start: number): Promise<ChangingList> {
  const server = createReferenceServer({ limits: 'off' })
  const formId = server.app.forms.create({ title: 'Survey' }).id
  const created = new Set<number>()
  const live = new Set<number>()
  const random = randomFrom(seed)
  const insert = (): number => {
    const { id } = server.app.responses.create(formId)
    created.add(id)
    live.add(id)
    return id
  }
  const remove = (): void => {
    const ids = [...live]
    const id = ids[Math.floor(random() * ids.length)]
    if (id === undefined) return
    server.app.responses.delete(formId, id)
    live.delete(id)
  }
  for (let index = 0; index < start; index += 1) insert()

  let requests = 0
  let lastId: number | undefined
  const front = createServer(async (request, response) => {
    requests += 1
    // As many removals as insertions on average, up to three of each: `total` often stays while rows move.
    if (requests <= CHANGES) {
      for (let count = Math.floor(random() * 4); count > 0; count -= 1) remove()
      for (let count = Math.floor(random() * 4); count > 0; count -= 1) insert()
    } else {
      lastId ??= insert()
    }
    const served = await server.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        headers: { authorization: request.headers.authorization ?? '' },
      }),
    )
    response.writeHead(served.status, Object.fromEntries(served.headers)).end(await served.text())
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  const { port } = front.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    apiKey: server.readKey,
    formId,
    created,
    live,
    lastId: () => lastId,
    close: async () => {
      const closed = once(front, 'close')
      front.close().closeAllConnections()
      await closed
      await server.close()
    },
  }
}

/** Returns a seeded random number generator (Mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
