import { describe, expect, it } from 'vitest'
import { isApiPath } from '../../src/http/api.ts'
import { createRouteGroup } from '../../src/http/handler.ts'
import type { IncomingMessage } from '../../src/http/message.ts'
import { MALFORMED, type Route, Router, route } from '../../src/http/router.ts'
import { bearerToken } from '../../src/http/stages/authenticate.ts'

const row = (method: Route['method'], pattern: string) =>
  route(method, pattern, () => ({ status: 200, headers: {}, body: null }))

const ROUTES = [
  row('GET', '/forms'),
  row('POST', '/forms'),
  row('GET', '/forms/:id'),
  row('PATCH', '/forms/:id'),
  row('GET', '/:what/all'),
  row('DELETE', '/forms/:id/responses/:responseId'),
]

describe('the router', () => {
  const match = (method: string, path: string) => {
    const found = new Router(ROUTES).match(method, path)
    return found === undefined || found === MALFORMED ? found : [found.route.pattern, found.params]
  }

  it.each([
    ['GET', '/forms', ['/forms', {}]],
    ['HEAD', '/forms', ['/forms', {}]],
    ['GET', '/forms/a', ['/forms/:id', { id: 'a' }]],
    ['GET', '/forms/all', ['/forms/:id', { id: 'all' }]],
    ['GET', '/people/all', ['/:what/all', { what: 'people' }]],
    ['GET', '/form%73/a%2Fb%20c', ['/forms/:id', { id: 'a/b c' }]],
    ['DELETE', '/forms/a/responses/7', ['/forms/:id/responses/:responseId', { id: 'a', responseId: '7' }]],
    ['DELETE', '/forms', undefined],
    ['HEAD', '/forms/a/responses/7', undefined],
    ['GET', '/forms/', undefined],
    ['GET', '//all', undefined],
    ['GET', '/forms/a/', undefined],
    ['GET', '/forms/a/responses', undefined],
    ['GET', '/', undefined],
    ['GET', '/forms/%zz', MALFORMED],
  ])('[ERR-02] matches %s %s', (method, path, expected) => {
    expect(match(method, path)).toEqual(expected)
  })

  it.each([
    ['/forms', ['GET', 'HEAD', 'POST']],
    ['/forms/a', ['GET', 'HEAD', 'PATCH']],
    ['/forms/a/responses/7', ['DELETE']],
    ['/forms/', []],
    ['/forms/%zz', []],
    ['/a/b/c/d/e', []],
  ])('[ERR-02] knows the methods of %s', (path, methods) => {
    expect(new Router(ROUTES).methodsOf(path)).toEqual(methods)
  })
})

describe('a group of routes', () => {
  const group = createRouteGroup('/f', async () => [row('GET', '/f/:slug') as never])
  const handle = (method: string, path: string, query = '') =>
    group.handle({ method, path, query } as IncomingMessage)

  it('owns the paths below its prefix', () => {
    expect(['/f', '/f/a', '/fa', '/a/f/', '/'].map((path) => group.owns(path))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
    expect(['/api/v1', '/api/v1/me', '/api/v1x', '/x/api/v1/', '/api'].map(isApiPath)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('[ERR-01][ERR-02] responds to a path with its route, 404 or 400', async () => {
    expect(await handle('GET', '/f/a')).toEqual({ status: 200, headers: {}, body: null })
    await expect(handle('POST', '/f/a')).rejects.toMatchObject({ status: 404, code: 'not_found' })
    await expect(handle('GET', '/f/%zz')).rejects.toMatchObject({ status: 400, code: 'bad_request' })
    await expect(handle('GET', '/f/a', '%zz')).rejects.toMatchObject({ status: 400, code: 'bad_request' })
  })
})

describe('the token of a request', () => {
  it.each([
    ['Bearer svc_a', 'svc_a'],
    ['bEARER   svc_a b', 'svc_a b'],
    [`Bearer ${'x'.repeat(265)}`, 'x'.repeat(265)],
    [`Bearer ${'x'.repeat(266)}`, undefined],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['Bearer-svc_a', undefined],
    ['Basic svc_a', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('[AUTH-01] of the header %j is %j', (authorization, token) => {
    expect(bearerToken({ headers: { get: () => authorization } } as unknown as IncomingMessage)).toBe(token)
  })
})
