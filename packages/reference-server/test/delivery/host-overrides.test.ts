import { describe, expect, it } from 'vitest'
import { parseHostOverrides } from '../../src/delivery/host-overrides.ts'
import { createReferenceServer } from '../../src/index.ts'

const parse = (from: string, to: string) => [...parseHostOverrides(new Map([[from, to]]))]

describe('the routes of deliveries', () => {
  it.each([
    ['https://hooks.example.com', 'http://127.0.0.1:4000', { secure: false, host: '127.0.0.1', port: 4000 }],
    ['hooks.example.com', '127.0.0.1:4000', { secure: false, host: '127.0.0.1', port: 4000 }],
    ['http://hooks.example.com/', 'https://[::1]:4443', { secure: true, host: '::1', port: 4443 }],
    ['hooks.example.com.', 'https://localhost', { secure: true, host: 'localhost', port: 443 }],
    ['hooks.example.com', 'localhost', { secure: false, host: 'localhost', port: 80 }],
  ])('lead from %s to %s', (from, to, target) => {
    expect(parse(from, to)).toEqual([['hooks.example.com', target]])
  })

  it.each([
    ['https://hooks.example.com', 'ftp://127.0.0.1:4000'],
    ['ws://hooks.example.com', 'http://127.0.0.1:4000'],
    ['https://hooks.example.com/path', 'http://127.0.0.1:4000'],
    ['https://hooks.example.com', 'http://127.0.0.1:4000/path'],
    ['https://hooks.example.com', 'http://127.0.0.1:4000?query'],
    ['https://hooks.example.com', 'http://127.0.0.1:4000#part'],
    ['https://hooks.example.com', 'http://user@127.0.0.1:4000'],
    ['https://hooks.example.com', 'http://127.0.0.1:99999'],
    ['not a host', 'http://127.0.0.1:4000'],
  ])('refuse %s=%s', (from, to) => {
    expect(() => parse(from, to)).toThrow(
      new TypeError(
        `Invalid route ${from}=${to}; use the form https://hooks.example.com=http://127.0.0.1:4000.`,
      ),
    )
  })

  it('are refused when the server is created', () => {
    expect(() =>
      createReferenceServer({ routes: { 'https://hooks.example.com': 'ftp://127.0.0.1' } }),
    ).toThrow('Invalid route https://hooks.example.com=ftp://127.0.0.1')
  })
})
