import { EventEmitter, getEventListeners } from 'node:events'
import type { IncomingMessage as NodeRequest, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { SocketRequest } from '../../src/http/transports/socket-request.ts'

function requestOf(facts: Partial<NodeRequest>, response: object = new EventEmitter()): SocketRequest {
  const request = facts instanceof PassThrough ? facts : { headers: {}, socket: {}, ...facts }
  return new SocketRequest(request as NodeRequest, response as ServerResponse)
}

describe('a request over a socket', () => {
  it.each([
    ['/a?b=1?2', '/a', 'b=1?2', 'http://x'],
    ['/a', '/a', '', 'http://x'],
    ['/?', '/', '', 'http://x'],
    [undefined, '/', '', 'http://x'],
    ['*', '*', '', 'http://x'],
    ['http://y:8080/a/b?c', '/a/b', 'c', 'http://y:8080'],
    ['HTTPS://y', '/', '', 'http://y'],
    ['http://y?c=/d', '/', 'c=/d', 'http://y'],
    ['a.b+c-d://y/e', '/e', '', 'http://y'],
    ['1a://y/e', '1a://y/e', '', 'http://x'],
    ['x http://y/e', 'x http://y/e', '', 'http://x'],
  ])('for %s has its path, query and origin', (url, path, query, origin) => {
    const request = requestOf({ headers: { host: 'x' }, ...(url !== undefined && { url }) })
    expect([request.path, request.query, request.origin]).toEqual([path, query, origin])
  })

  it('has its method and its headers, the first value of several', () => {
    const request = requestOf({ url: '/', method: 'PATCH', headers: { a: '1', 'set-cookie': ['b', 'c'] } })
    expect(request.method).toBe('PATCH')
    expect(['a', 'set-cookie', 'd'].map((name) => request.headers.get(name))).toEqual(['1', 'b', undefined])
    expect([requestOf({}).method, requestOf({}).origin]).toEqual(['GET', 'http://localhost'])
  })

  it('is identified by its socket', () => {
    const socket = {} as NodeRequest['socket']
    expect(requestOf({ socket }).connection).toBe(socket)
  })

  it('aborts when its connection or its server is closed', () => {
    const response = new EventEmitter()
    const request = requestOf({}, response)
    request.abort()
    const { signal } = request
    expect(signal).toBe(request.signal)
    expect(signal.aborted).toBe(false)
    response.emit('close')
    expect(signal.aborted).toBe(true)
    expect(getEventListeners(response, 'close')).toEqual([])

    const closing = requestOf({})
    const { signal: other } = closing
    closing.abort()
    expect(other.aborted).toBe(true)
    expect(requestOf({}, { destroyed: true }).signal.aborted).toBe(true)
  })

  it('[ERR-01] is refused for its length before any of its body is read', async () => {
    const received = (headers: NodeRequest['headers']) => {
      const body = new PassThrough()
      body.end('abc')
      return requestOf(Object.assign(body, { headers }) as unknown as NodeRequest).readBody(3)
    }
    await expect(received({ 'content-length': '4' })).rejects.toThrow('The body is larger than 3 bytes.')
    expect(String(await received({ 'content-length': '3' }))).toBe('abc')
    expect(String(await received({}))).toBe('abc')
  })
})
