/** How the search of the documentation site reads words. `pnpm docs:check` checks what it finds. */
import { describe, expect, it } from 'vitest'
import { SEARCH } from '../../packages/internal/src/docs-search.ts'

const { tokenize, processTerm } = SEARCH.options

describe('the search of the documentation site', () => {
  it('reads an identifier as one word, and as the words that it consists of', () => {
    expect(tokenize('`missing_header`, fileCheckpoint: DLV-06.')).toEqual([
      'missing_header',
      'missing',
      'header',
      'fileCheckpoint',
      'file',
      'Checkpoint',
      'DLV-06',
      'DLV',
      '06',
    ])
  })

  it.each([
    ['rotat', ['rotate', 'rotates', 'rotated', 'rotating', 'Rotation']],
    ['retr', ['retry', 'retries']],
    ['typ', ['type', 'types']],
    ['status', ['status']],
    ['string', ['string', 'strings']],
    ['timestamp_too_old', ['timestamp_too_old']],
  ])('finds "%s" by %j', (stem, words) => {
    expect(words.map(processTerm)).toEqual(words.map(() => stem))
  })

  it('leaves out words that every page has', () => {
    expect(['how', 'do', 'I', 'the', 'a'].map(processTerm)).toEqual([null, null, null, null, null])
  })

  it('has functions that work without anything outside of them', () => {
    const copyOf = (value: (...given: never) => unknown) => new Function(`return ${value}`)()
    expect(copyOf(tokenize)('no_match')).toEqual(['no_match', 'no', 'match'])
    expect(copyOf(processTerm)('Polling')).toBe('poll')
    expect(copyOf(SEARCH.searchOptions.boostDocument)('/how-to/dedupe.html', 'secret')).toBe(2)
    expect(copyOf(SEARCH.searchOptions.fuzzy)('secret')).toBe(0.2)
  })
})
