import { describe, expect, it } from 'vitest'
import { parseForwardTarget } from '../../src/input/handler-url.ts'
import { Targets } from '../../src/listen/handler.ts'

describe('--forward-to', () => {
  it.each([
    ['3000', undefined, 'http://localhost:3000/'],
    [':3000', undefined, 'http://localhost:3000/'],
    ['3000/hook?a=b', undefined, 'http://localhost:3000/hook?a=b'],
    ['localhost:3000', undefined, 'http://localhost:3000'],
    ['127.0.0.1:3000/hook', undefined, 'http://127.0.0.1:3000/hook'],
    ['http://127.0.0.1:3000/hook?form=x', undefined, 'http://127.0.0.1:3000/hook?form=x'],
    ['https://localhost:3000', undefined, 'https://localhost:3000'],
    ['guestvoice01=3000', 'guestvoice01', 'http://localhost:3000/'],
    ['guestvoice01=http://localhost/?a=b', 'guestvoice01', 'http://localhost/?a=b'],
  ])('%s', (text, formId, url) => {
    expect(parseForwardTarget(text)).toEqual({ formId, url })
  })
  it.each(['', '0', '65536', '99999', 'ftp://localhost', 'http://', 'a b', 'FORM='])('refuses %j', (text) => {
    expect(() => parseForwardTarget(text)).toThrow(
      `--forward-to must be a URL, a host with a port, or a port, got "${text}"`,
    )
  })
  it('prefers the handler of the form', () => {
    const targets = new Targets([parseForwardTarget('A=1000'), parseForwardTarget('2000')])
    expect([targets.of('A'), targets.of('B'), targets.of(null)]).toEqual([
      'http://localhost:1000/',
      'http://localhost:2000/',
      'http://localhost:2000/',
    ])
    expect(targets.describe()).toBe('http://localhost:2000/, A → http://localhost:1000/')
    expect(new Targets([parseForwardTarget('A=1000')]).of('B')).toBeUndefined()
  })
})
