import { expect } from 'vitest'
import { FORM, KEYS } from '../seed.ts'
import { expectEach, shows, told } from './case.ts'

export const envelopeCases = [
  shows('ENV-03 ERR-03', 'returns an error with code, message and the invalid field', async ({ api }) => {
    const { status, json } = await api('GET', '/forms?status=open')
    expect([status, json]).toEqual([
      422,
      {
        error: {
          code: 'validation_failed',
          message: 'status must be one of draft, published, closed, archived, got "open".',
          details: { field: 'status' },
        },
      },
    ])
  }),
  shows('ENV-06', 'returns an empty page past the end', async ({ api }) => {
    const { status, json } = await api('GET', '/forms?page=9007199254740991')
    expect([status, json]).toEqual([
      200,
      { data: [], meta: { page: 9007199254740991, per_page: 25, total: 4 } },
    ])
  }),
  shows('ENV-06', 'uses the first value of a repeated parameter', async ({ api }) => {
    expect((await api('GET', '/forms?page=2&page=x&per_page=2&per_page=0')).json.meta).toEqual({
      page: 2,
      per_page: 2,
      total: 4,
    })
  }),
  shows('ENV-06 RESP-03', 'reads plain decimals only', async ({ api }) => {
    const texts = ['1.0', '-0', '%2B1', '01', '1e1', '%201', '%EF%BC%91']
    for (const field of ['page', 'per_page']) {
      const ask = async (text: string) => (await api('GET', `/forms?${field}=${text}`)).json.error?.details
      await expectEach(['', ...texts], ask, { field })
    }
    const read = async (text: string) => (await api('GET', `/forms/${FORM}/responses/${text}`)).status
    await expectEach(texts, read, 404)
  }),
  shows('ENV-08', 'sends no cookie and no CORS header', async ({ api, any }) => {
    const headers = { origin: 'https://page.example' }
    for (const reply of [
      await api('GET', '/me', { headers }),
      await api('GET', '/nothing', { headers }),
      await any('OPTIONS', '/api/v1/me', { headers }),
    ]) {
      expect(reply.headers.get('set-cookie')).toBeNull()
      expect(reply.headers.get('access-control-allow-origin')).toBeNull()
    }
  }),
  shows('ENV-09', 'ignores unknown parameters and fields', async ({ api }) => {
    expect((await api('GET', '/forms?colour=blue&Status=draft')).json.meta.total).toBe(4)
    expect((await api('GET', '/me?verbose=1')).status).toBe(200)
    const patched = await api('PATCH', `/forms/${FORM}`, { json: { title: 'New', colour: 'blue', id: 'x' } })
    expect([patched.status, patched.json.data.title, patched.json.data.id]).toEqual([200, 'New', FORM])
  }),
  shows('ERR-02 VER-01', 'returns 404 outside /api/v1 and for unknown paths in it', async ({ any, api }) => {
    const key = KEYS.write
    const outside = '/ /api /api/v2/me /api/v10/me /api/v1me /me /v1/me /API/V1/me /nothing'.split(' ')
    const ask = async (path: string) => {
      const reply = await any('GET', path, { key })
      return [...told(reply), reply.headers.get('content-type')]
    }
    await expectEach(outside, ask, [404, 'not_found', 'application/json'])
    const unknown = '/ /forms/ //forms /me/ /forms/formsurvey01/ /users /forms/formsurvey01/answers'.split(
      ' ',
    )
    await expectEach(['', ...unknown], async (path) => (await api('GET', path)).status, 404)
  }),
  shows(
    'ERR-02',
    'returns 404 for a method that a path does not support, including OPTIONS',
    async ({ api }) => {
      const unsupported = [
        ['POST', '/me'],
        ['DELETE', '/me'],
        ['POST', '/forms'],
        ['PUT', `/forms/${FORM}`],
        ['DELETE', `/forms/${FORM}`],
        ['PATCH', `/forms/${FORM}/responses/1`],
        ['POST', `/forms/${FORM}/responses`],
        ['PATCH', `/forms/${FORM}/webhooks`],
        ['OPTIONS', '/me'],
      ] as const
      await expectEach(unsupported, async ([method, path]) => told(await api(method, path)), [
        404,
        'not_found',
      ])
    },
  ),
  shows(
    'ENV-07',
    'responds to HEAD like GET, without the body',
    async ({ api }) => {
      for (const [path, status] of [
        ['/me', 200],
        ['/forms', 200],
        [`/forms/${FORM}`, 200],
        ['/forms/nothere', 404],
        ['/forms?page=0', 422],
      ] as const) {
        const [head, get] = [await api('HEAD', path), await api('GET', path)]
        const headers = ['content-type', 'content-length'].map((name) => head.headers.get(name))
        const length = String(Buffer.byteLength(get.text))
        expect([path, head.status, head.text, ...headers]).toEqual([
          path,
          status,
          '',
          'application/json',
          length,
        ])
      }
    },
    { leftOut: { msw: 'msw drops the content headers of a HEAD response' } },
  ),
  shows(
    'ENV-09',
    'rejects an unknown query parameter on every route if configured, and changes nothing',
    async ({ api }) => {
      const hooks = `/forms/${FORM}/webhooks`
      const known = [
        '/forms?status=draft&page=1&per_page=2',
        `/forms/${FORM}/responses?status=submitted&since=2026-01-01&page=1&per_page=2`,
        `${hooks}?page=1&per_page=2`,
      ]
      await expectEach(known, async (path) => (await api('GET', path)).status, 200)
      const hook = (await api('POST', hooks, { json: { url: 'http://127.0.0.1:9/hook' } })).json.data.id
      const routes: [method: string, path: string, json?: object][] = [
        ['GET', '/me'],
        ['GET', '/forms'],
        ['GET', `/forms/${FORM}`],
        ['PATCH', `/forms/${FORM}`, { title: 'New' }],
        ['GET', `/forms/${FORM}/responses`],
        ['GET', `/forms/${FORM}/responses/1`],
        ['DELETE', `/forms/${FORM}/responses/1`],
        ['GET', hooks],
        ['POST', hooks, { url: 'http://127.0.0.1:9/hook' }],
        ['DELETE', `${hooks}/${hook}`],
      ]
      const ask = async ([method, path, json]: (typeof routes)[number]) => {
        const reply = await api(method, `${path}?colour=blue`, json && { json })
        return [reply.status, reply.json?.error?.details]
      }
      await expectEach(routes, ask, [422, { field: 'colour' }])
      expect((await api('GET', `/forms/${FORM}`)).json.data.title).toBe('Survey')
      expect((await api('GET', `/forms/${FORM}/responses/1`)).status).toBe(200)
      expect((await api('GET', hooks)).json.data.map(({ id }: { id: number }) => id)).toEqual([hook])
    },
    { options: { unspecified: { unknownParameters: '422' } } },
  ),
  shows('ENV-07', 'returns a request id in every response', async ({ api }) => {
    const ids = [
      await api('GET', '/me'),
      await api('GET', '/nothing'),
      await api('GET', '/me', { key: null }),
    ].map(({ headers }) => headers.get('x-request-id'))
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^req_[0-9A-Za-z]{14}$/)
  }),
]
