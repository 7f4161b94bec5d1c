import { describe, expect, it } from 'vitest'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'

/** All fonts of a page together. */
const MAX_BYTES = 60_000

/** A page, its style sheet and the folder of its files. */
const PAGES = {
  'the console': () => ({ path: '/_app/console', style: '/_app/console/console.css' }),
  'the public form': ({ app }: ReferenceServer) => ({
    path: `/f/${app.forms.publish(app.forms.create({ title: 'Your stay' }).id).slug}`,
    style: '/f/assets/form.css',
  }),
}

describe.each(Object.entries(PAGES))('the fonts of %s', (_, pageOf) => {
  const served = async () => {
    const server = createReferenceServer({ clock: 'manual' })
    const { path, style } = pageOf(server)
    const get = async (url: string) => {
      const response = await server.fetch(new URL(url, 'http://127.0.0.1').href, {
        headers: { accept: 'text/html' },
      })
      return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const page = await get(path)
    const css = (await get(style)).bytes.toString()
    const faces = css.match(/@font-face\{[^}]*\}/g) ?? []
    const urls = faces.map(
      (face) => new URL(/url\(([^)]+)\)/.exec(face)?.[1] ?? '', `http://127.0.0.1${style}`),
    )
    const fonts = await Promise.all(urls.map(({ pathname }) => get(pathname)))
    await server.close()
    return { page, faces, paths: urls.map(({ pathname }) => pathname), fonts }
  }

  it('come from the server as WOFF2 of at most 60 kB together, and texts do not wait for them', async () => {
    const { faces, fonts } = await served()
    expect(faces.map((face) => /font-family:"([^"]+)"/.exec(face)?.[1])).toEqual([
      'Inter',
      'Inter',
      'JetBrains Mono',
    ])
    for (const face of faces) expect(face).toContain('font-display:swap')
    for (const { bytes, headers } of fonts) {
      expect(headers.get('content-type')).toBe('font/woff2')
      expect(bytes.subarray(0, 4).toString()).toBe('wOF2')
    }
    expect(fonts.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThanOrEqual(MAX_BYTES)
  })

  it('are cached for good, under names that change with their content', async () => {
    const { fonts, paths } = await served()
    expect(new Set(paths).size).toBe(3)
    for (const path of paths) expect(path).toMatch(/-[0-9a-f]{8}\.woff2$/)
    for (const { headers } of fonts)
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  it('are allowed from this server only, and those of the texts load with the style sheet', async () => {
    const { page, paths } = await served()
    expect(page.headers.get('content-security-policy')).toContain("; font-src 'self';")
    const preloaded = [...page.bytes.toString().matchAll(/rel="preload" href="([^"]+)" as="font"/g)]
    expect(preloaded.map(([, href]) => new URL(href ?? '', 'http://127.0.0.1/_app/').pathname)).toEqual(
      paths.slice(0, 2),
    )
  })
})
