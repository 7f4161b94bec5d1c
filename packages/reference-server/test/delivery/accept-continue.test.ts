import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { acceptContinue } from '../../src/delivery/accept-continue.ts'

/** A connection on which the peer sends these chunks. */
function connection(...chunks: string[]) {
  const left = chunks.map((chunk) => Buffer.from(chunk))
  const written: unknown[][] = []
  const socket = acceptContinue({
    read: () => left.shift() ?? null,
    write: (...chunk: unknown[]) => written.push(chunk) === 1,
  } as unknown as Socket)
  /** Reads one chunk, or all that are left. */
  const read = (): string | undefined => socket.read()?.toString()
  const readAll = (): string => {
    let text = ''
    for (let chunk = read(); chunk !== undefined; chunk = read()) text += chunk
    return text
  }
  return { socket, written, read, readAll }
}

/** What is read of a response that arrives in these chunks. */
function received(...chunks: string[]): string {
  const { socket, readAll } = connection(...chunks)
  socket.write('POST / HTTP/1.1\r\n\r\n')
  return readAll()
}

describe('an unrequested 100 Continue', () => {
  it.each([
    [
      'before the response',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
      'HTTP/1.1 102 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
    ],
    [
      'with header fields, twice',
      'HTTP/1.1 100 Continue\r\na: b\r\n\r\nHTTP/1.1 100 Continue\r\nc: d\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
      'HTTP/1.1 102 Continue\r\na: b\r\n\r\nHTTP/1.1 102 Continue\r\nc: d\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
    ],
    [
      'after other interim responses',
      'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\nHTTP/1.1 110 x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\nHTTP/1.1 110 x\r\n\r\nHTTP/1.1 102 Continue\r\n\r\n',
    ],
    [
      'without reason phrases',
      'HTTP/1.1 103\r\nlink: <a>\r\n\r\nHTTP/1.1 100\r\n\r\nHTTP/1.1 100\r\n\r\n',
      'HTTP/1.1 103\r\nlink: <a>\r\n\r\nHTTP/1.1 102\r\n\r\nHTTP/1.1 102\r\n\r\n',
    ],
    [
      'with bare line feeds',
      'HTTP/1.1 100 Continue\n\nHTTP/1.1 100 Continue\n\n',
      'HTTP/1.1 102 Continue\n\nHTTP/1.1 102 Continue\n\n',
    ],
  ])('[DLV-05] is read as 102 %s, in one chunk or byte by byte', (_, sent, read) => {
    expect(received(sent)).toBe(read)
    expect(received(...sent)).toBe(read)
  })

  it.each([
    'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.0 200 OK\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 010 x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 101 x\r\n\r\nHTTP/1.1 110 x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
  ])('[DLV-05] is not looked for elsewhere: %j stays as it is', (sent) => {
    expect(received(sent)).toBe(sent)
    expect(received(...sent)).toBe(sent)
  })

  it('[DLV-05] is looked for in the response to each request, and not before the first', () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
    const { socket, written, read } = connection(
      `\r\n\r\n${interim}`,
      `${interim}HTTP/1.1 200 OK\r\n\r\n`,
      `${interim}HTTP/1.1 103 x\r\na`,
      interim,
    )
    expect(read()).toBe(`\r\n\r\n${interim}`)
    expect(socket.write('first', 'latin1')).toBe(true)
    expect(read()).toBe('HTTP/1.1 102 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n')
    expect(socket.write('second')).toBe(false)
    expect(read()).toBe('HTTP/1.1 102 Continue\r\n\r\nHTTP/1.1 103 x\r\na')
    socket.write('third')
    expect(read()).toBe('HTTP/1.1 102 Continue\r\n\r\n')
    expect(read()).toBeUndefined()
    expect(written).toEqual([['first', 'latin1'], ['second'], ['third']])
  })
})
