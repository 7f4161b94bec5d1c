import { beforeEach, expect, it, vi } from 'vitest'
import { createReferenceServer } from '../../src/index.ts'

const bundler = vi.hoisted(() => ({ loaded: 0, calls: 0, failures: 0 }))

vi.mock('../../../console/bundle.ts', () => {
  bundler.loaded++
  return {
    bundleConsole: async () => {
      bundler.calls++
      if (bundler.failures-- > 0) throw new Error('no bundler today')
      return { js: 'the program', css: 'the style', chunks: { 'part-ABC.js': 'a part' } }
    },
  }
})

beforeEach(() => Object.assign(bundler, { failures: 0 }))

it('is not loaded before the console is opened, builds once for concurrent requests, and retries after a failure', async () => {
  const server = createReferenceServer({ report: () => undefined })
  const get = (path: string) => server.fetch(`http://127.0.0.1${path}`)
  expect((await get('/_app/console')).status).toBe(200)
  expect((await get('/_app/health')).status).toBe(200)
  expect(bundler).toEqual({ loaded: 0, calls: 0, failures: 0 })

  bundler.failures = 1
  expect((await get('/_app/console/console.js')).status).toBe(500)

  bundler.failures = 0
  const responses = await Promise.all(['js', 'css', 'js'].map((name) => get(`/_app/console/console.${name}`)))
  expect(await Promise.all(responses.map((response) => response.text()))).toEqual([
    'the program',
    expect.stringMatching(/\}the style$/),
    'the program',
  ])
  expect(await (await get('/_app/console/part-ABC.js')).text()).toBe('a part')
  expect(bundler).toMatchObject({ loaded: 1, calls: 2 })
  await server.close()
})
