import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BACKGROUNDS, contrast, paletteOf, themeOf } from '../../src/public-form/accent.ts'

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')

/** The values of a custom property in a style sheet, in the order light, dark. */
const valuesOf = (css: string, name: string): string[] =>
  Array.from(css.matchAll(new RegExp(`--${name}:\\s*(#[0-9a-f]{6})`, 'g')), ([, value = '']) => value)

describe('the accent of a form', () => {
  it('is readable everywhere, whatever the colour', () => {
    const channel = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'))
    fc.assert(
      fc.property(fc.tuple(channel, channel, channel), (channels) => {
        for (const scheme of ['light', 'dark'] as const) {
          const { accent, text, line, soft } = paletteOf(`#${channels.join('')}`, scheme)
          expect(contrast(text, accent)).toBeGreaterThanOrEqual(4.5)
          for (const background of [...BACKGROUNDS[scheme], soft])
            expect(contrast(line, background)).toBeGreaterThanOrEqual(4.5)
          const own = scheme === 'light' ? '#1b1f2a' : '#e6e9f0'
          expect(contrast(own, soft)).toBeGreaterThanOrEqual(4.5)
        }
      }),
    )
  })

  it('stays as it is where it can be read', () => {
    expect(paletteOf('#0f6b5c', 'light')).toEqual({
      accent: '#0f6b5c',
      text: '#ffffff',
      line: '#0f6b5c',
      soft: '#e7f0ef',
    })
    expect(paletteOf('#ffd400', 'light')).toMatchObject({ accent: '#ffd400', text: '#000000' })
  })

  it('replaces the colours of the style sheet in both schemes', () => {
    expect(themeOf('#0f6b5c')).toMatch(
      /^:root\{--accent:#0f6b5c;--accent-text:#ffffff;--accent-line:#0f6b5c;--accent-soft:#[0-9a-f]{6}\}\n@media \(prefers-color-scheme:dark\)\{:root\{--accent:#0f6b5c;[^}]*\}\}\n$/,
    )
  })

  it('is by default that of the console, on the same backgrounds as here', () => {
    const form = read('packages/reference-server/src/public-form/client/form.css')
    const tokens = read('packages/console/src/styles/tokens.css')
    expect(valuesOf(form, 'accent')).toEqual(valuesOf(tokens, 'accent'))
    expect(['ground', 'sheet'].map((name) => valuesOf(form, name)[0])).toEqual([...BACKGROUNDS.light])
    expect(['ground', 'sheet'].map((name) => valuesOf(form, name)[1])).toEqual([...BACKGROUNDS.dark])
  })
})

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#767676', '#ffffff', 4.54],
    ['#3b49cf', '#ffffff', 6.91],
  ])('of %s and %s is %d', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 1)
  })
})
