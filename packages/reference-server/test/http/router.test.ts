import { describe, expect, it } from 'vitest'
import { MALFORMED, type Route, Router, route } from '../../src/http/router.ts'

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
