import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { start } from '../../../test/support/spawn.ts'

// The limits of `src/resource-limits.ts`, met by clients of the built server.

const flags = ['--port', '0', '--seed', 'empty', '--json', '--rate-limits', 'off']
const { child, firstLine } = start([inject('programs')['reference-server'], ...flags], process.env, '')
const { url, admin_token: token } = JSON.parse(await firstLine) as { url: string; admin_token: string }
const port = Number(new URL(url).port)
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
beforeEach(() => app('POST', '/reset'))
afterAll(() => void child.kill('SIGKILL'))

/** Opens a connection and sends bytes. Nothing is read until the test does. */
function send(bytes: string, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined)
  socket.pause().write(bytes)
  onTestFinished(() => void socket.destroy())
  return socket
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any part of a response
const app = async (method: string, path: string, body?: unknown): Promise<any> =>
  (
    await fetch(`${url}/_app${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  ).json()

/** Publishes a form with these questions, and returns its URL. */
async function publish(...questions: object[]): Promise<{ id: string; at: string }> {
  const { id } = (await app('POST', '/forms', { title: 'F', questions })).data
  const { slug } = (await app('POST', `/forms/${id}/publish`)).data
  return { id, at: `/f/${slug}` }
}

const status = async (path: string, init?: RequestInit): Promise<number> =>
  (await fetch(url + path, init)).status

const IS_ALIVE = 'GET /_app/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'

describe('requests of a client that reads no responses', () => {
  const ME = 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer none\r\n\r\n'

  it('end their connection after the 64th response, and are not handled meanwhile', async () => {
    const sockets = Array.from({ length: 4 }, () => send(ME.repeat(800)))
    expect(await status('/_app/health')).toBe(200)
    const received = await Promise.all(sockets.map((socket) => text(socket)))
    const counts = received.map((all) => all.match(/HTTP\/1\.1 401/g)?.length ?? 0)
    // The first may have been answered before the second is read.
    for (const count of counts) expect([64, 65]).toContain(count)
    const handled = (await app('GET', '/requests')).data[0]?.number ?? 0
    expect(handled).toBe(counts.reduce((sum, count) => sum + count))
  })

  it('are answered in order, if they are 64', async () => {
    const last = IS_ALIVE.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
    const socket = send(IS_ALIVE + ME.repeat(62) + last)
    const statuses = (await text(socket)).match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(-3))
    expect(statuses).toEqual(['200', ...Array(62).fill('401'), '200'])
  })
})

describe('bodies that do not end', () => {
  it.runIf(process.platform === 'linux')(
    'refuse no small submission, and no larger one from another address',
    async () => {
      const { at } = await publish({ id: 'name', type: 'short_text', title: 'Name' })
      const submit = (length: number) =>
        `POST ${at} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`
      const answers = '{"answers":[{"question_id":"name","value":"Ada"}]}'
      const padded = answers.padEnd(320_000)
      let refused = 0
      for (let held = 0; held < 220; held += 1) {
        send(submit(1_000_000) + padded)
          .once('data', (chunk) => {
            if (String(chunk).startsWith('HTTP/1.1 429')) refused += 1
          })
          .resume()
      }
      await expect.poll(() => refused).toBeGreaterThan(0)
      const outcomes = [
        send(submit(answers.length) + answers),
        send(submit(padded.length) + padded),
        send(submit(padded.length) + padded, '127.0.0.2'),
      ].map(async (socket) => (await text(socket)).slice(9, 12))
      expect(await Promise.all(outcomes)).toEqual(['201', '429', '201'])
    },
  )
})

describe('empty files', () => {
  it('are uploaded up to a number, not only up to their size', async () => {
    const { at } = await publish({ id: 'cv', type: 'file', title: 'CV', max: 200 })
    const part = '--b\r\nContent-Disposition: form-data; name="q[cv]"; filename="x"\r\n\r\n\r\n'
    const post = async (files: number): Promise<string> => {
      const init = { accept: 'application/json', 'content-type': 'multipart/form-data; boundary=b' }
      const body = `${part.repeat(files)}--b--`
      return (await fetch(url + at, { method: 'POST', headers: init, body })).text()
    }
    await post(200)
    const { data: snapshot } = await app('GET', '/snapshot')
    const { uploads } = snapshot.state.uploads
    for (let count = 200; count < 20_000; count += 1)
      uploads.push({ ...uploads[0], id: `file_${String(count).padStart(24, '0')}` })
    await app('PUT', '/snapshot', snapshot)
    expect(await post(1)).toContain('The file cannot be stored: the server keeps at most 20000 uploads.')
  })
})

describe('waits', () => {
  it('compare in turns, so that other requests are handled between them', async () => {
    const questions = Array.from({ length: 40 }, (_, at) => ({
      id: `q${at}`,
      type: 'short_text',
      title: 'Q',
    }))
    const { id } = await publish(...questions)
    const answers = questions.map((question) => ({ question_id: question.id, value: 'same' }))
    for (let responses = 0; responses < 40; responses += 1)
      await app('POST', `/forms/${id}/responses`, { answers })
    const match = { answers: [...Array(100).fill({ question_id: 'q39', value: 'same' }), { value: 'none' }] }
    /** Other requests that are handled while five waits compare. */
    let others = 0
    // Again if this process stood still meanwhile.
    for (let round = 0; round < 3 && others <= 10; round += 1) {
      others = 0
      let waiting = 5
      const waits = Array.from({ length: 5 }, async () => {
        try {
          return (await app('POST', '/wait', { for: 'response', match, timeout_ms: 0 })).error.code
        } finally {
          waiting -= 1
        }
      })
      while (waiting > 0) {
        if ((await status('/_app/health')) === 200 && waiting > 0) others += 1
      }
      expect(await Promise.all(waits)).toEqual(Array(5).fill('timeout'))
    }
    expect(others).toBeGreaterThan(10)
  })
})

describe('a snapshot', () => {
  it('with more values than one of 256 MiB has is refused before it is parsed', async () => {
    const body = Buffer.from(`{"data":[${'{},'.repeat(12_000_001)}{}]}`)
    const response = await fetch(`${url}/_app/snapshot`, { method: 'PUT', headers, body })
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: { code: 'bad_request', message: 'The body has more than 24000000 values.' } },
    ])
  })
})
