// cspell:ignore bcher bücher
import { expect, it } from 'vitest'
import { urlOf } from '../src/url.ts'

it('reads a URL however often it was asked before, unlike URL.canParse of Node 20', () => {
  const refused = Array.from({ length: 20_000 }, () => urlOf('https://bücher.example')).filter((url) => !url)
  expect(refused).toEqual([])
  expect([urlOf('https://bücher.example')?.host, urlOf('bücher')]).toEqual([
    'xn--bcher-kva.example',
    undefined,
  ])
})
