import { describe, expect, it } from 'vitest'
import { answerTo, questionOf, questionsOf, submit } from './helpers.ts'

const refused = expect.stringMatching(/^refused: /)

describe('texts', () => {
  it.each(['short_text', 'long_text'] as const)(
    '[RESP-07] accepts any text for %s and keeps it unchanged',
    (type) => {
      for (const text of [
        ' padded ',
        'two\nlines',
        '\u0000',
        '\ud83d',
        '👩‍👩‍👧',
        '<script>',
        'x'.repeat(100_000),
      ]) {
        expect(answerTo(questionOf(type), text)).toEqual({ value: text, text })
      }
    },
  )

  it.each(['short_text', 'long_text', 'email', 'url', 'phone', 'date', 'time'] as const)(
    '[RESP-06] a blank %s is a skipped one',
    (type) => {
      expect(answerTo(questionOf(type), '')).toBe('skipped')
      expect(answerTo(questionOf(type), '  \n')).toBe('skipped')
    },
  )

  it('[RESP-07] counts code points for min and max, not UTF-16 units', () => {
    const question = questionOf('short_text', { min: 2, max: 3 })
    expect(answerTo(question, '👍👍👍')).toEqual({ value: '👍👍👍', text: '👍👍👍' })
    expect(answerTo(question, '👍')).toBe('refused: Enter at least 2 characters.')
    expect(answerTo(question, 'abcd')).toBe('refused: Enter at most 3 characters.')
  })

  it('[RESP-07] accepts email addresses of any script', () => {
    const question = questionOf('email')
    for (const good of [
      'ann@example.com',
      'a.b+c@sub.example.co.uk',
      "o'neil@example.org",
      'ünï@exämple.de',
      'x@127.0.0.1',
    ]) {
      expect(answerTo(question, good)).toEqual({ value: good, text: good })
    }
    for (const bad of [
      'ann',
      'ann@',
      '@example.com',
      'ann@host',
      'a b@example.com',
      ' a@example.com',
      'a@b@c.com',
      'a..b@example.com',
      '.a@example.com',
      'a@-b.com',
      'a@ex_ample.com',
      'a@example..com',
      'a@example.com.',
      'a\u0000@example.com',
      `${'a'.repeat(250)}@example.com`,
    ]) {
      expect(answerTo(question, bad), bad).toEqual(refused)
    }
  })

  it('[RESP-07] accepts absolute http and https URLs for url', () => {
    const question = questionOf('url')
    for (const good of [
      'https://example.com',
      'http://example.com:8080/a?b=c#d',
      'HTTPS://EXAMPLE.COM/ü',
      `https://www.${'a'.repeat(63)}:65535/`,
    ]) {
      expect(answerTo(question, good)).toEqual({ value: good, text: good })
    }
    for (const bad of [
      'example.com',
      'javascript:alert(1)',
      'ftp://example.com',
      'https://',
      'https:// a.com',
      'https://a.com/\n',
      'https://exa mple.com',
      'http://[::1',
      'data:text/html,x',
      'https:example.com',
      `https://${'a'.repeat(70)}.com`,
      `https://${'a.'.repeat(130)}com`,
    ]) {
      expect(answerTo(question, bad), bad).toEqual(refused)
    }
  })

  it('[RESP-07] accepts phone numbers in common notations', () => {
    const question = questionOf('phone')
    for (const good of [
      '+44 20 7946 0000',
      '(555) 010-9999',
      '555 0100 ext. 12',
      '555 0100 ext 12',
      '555 0100 x12',
      '110',
      '030/123456',
      '1'.repeat(20),
    ]) {
      expect(answerTo(question, good)).toEqual({ value: good, text: good })
    }
    for (const bad of [
      'call me',
      'call 555 0100',
      '12',
      '+',
      '1'.repeat(21),
      '٠١٢٣٤٥',
      '1'.repeat(100_000),
    ]) {
      expect(answerTo(question, bad), bad).toEqual(refused)
    }
  })
})

describe('dates and times', () => {
  it('[RESP-07] accepts real calendar dates for date', () => {
    const question = questionOf('date')
    for (const good of ['2026-11-21', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31']) {
      expect(answerTo(question, good)).toEqual({ value: good, text: good })
    }
    for (const bad of [
      '2023-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '0000-01-01',
      '2026-1-1',
      '21.11.2026',
      '2026-11-21T00:00',
      '２０２６-11-21',
      '+02026-11-21',
    ]) {
      expect(answerTo(question, bad), bad).toEqual(refused)
    }
  })

  it('[RESP-07] accepts 00:00 to 23:59 for time', () => {
    const question = questionOf('time')
    for (const good of ['00:00', '09:30', '23:59'])
      expect(answerTo(question, good)).toEqual({ value: good, text: good })
    for (const bad of ['24:00', '12:60', '9:30', '09:30:00', '9am', '-1:00'])
      expect(answerTo(question, bad), bad).toEqual(refused)
  })

  it('[RESP-07] applies min and max to dates and times', () => {
    const date = questionOf('date', { min: '2026-01-01', max: '2026-12-31' })
    expect(answerTo(date, '2026-01-01')).toEqual({ value: '2026-01-01', text: '2026-01-01' })
    expect(answerTo(date, '2025-12-31')).toBe('refused: Choose 2026-01-01 or later.')
    expect(answerTo(questionOf('time', { max: '18:00' }), '18:01')).toBe('refused: Choose 18:00 or earlier.')
  })
})

describe('numbers', () => {
  it('[RESP-07] accepts any finite number for number', () => {
    const question = questionOf('number')
    expect(answerTo(question, 12.5)).toEqual({ value: 12.5, text: '12.5' })
    expect(answerTo(question, -3)).toEqual({ value: -3, text: '-3' })
    expect(answerTo(question, 1e21)).toEqual({ value: 1e21, text: '1e+21' })
    expect(answerTo(question, -0)).toEqual({ value: 0, text: '0' })
    const noText = { toString: 5, valueOf: 5 }
    for (const bad of [Number.POSITIVE_INFINITY, Number.NaN, '5', true, [5], noText, '']) {
      expect(answerTo(question, bad)).toEqual(refused)
    }
  })

  it.each([
    ['scale', 1, 10],
    ['rating', 1, 5],
    ['nps', 0, 10],
  ] as const)('[RESP-07] %s accepts whole numbers from %d to %d by default', (type, min, max) => {
    const question = questionOf(type)
    expect(answerTo(question, min)).toEqual({ value: min, text: String(min) })
    expect(answerTo(question, max)).toEqual({ value: max, text: String(max) })
    for (const bad of [min - 1, max + 1, min + 0.5]) {
      expect(answerTo(question, bad)).toBe(`refused: Enter a whole number from ${min} to ${max}.`)
    }
  })

  it('[RESP-07] accepts numbers from 1 to 10 for slider by default, fractions included', () => {
    expect(answerTo(questionOf('slider'), 2.5)).toEqual({ value: 2.5, text: '2.5' })
    expect(answerTo(questionOf('slider'), 11)).toBe('refused: Enter a number from 1 to 10.')
    expect(answerTo(questionOf('slider', { min: 16, max: 26 }), 26)).toEqual({ value: 26, text: '26' })
  })
})

describe('choices', () => {
  it.each(['single_choice', 'dropdown'] as const)('[RESP-07] accepts one option for %s', (type) => {
    const question = questionOf(type)
    expect(answerTo(question, { ids: ['b'], other: null })).toEqual({
      value: { ids: ['b'], other: null },
      text: 'Banana',
    })
    expect(answerTo(question, { ids: ['b'] })).toEqual({ value: { ids: ['b'], other: null }, text: 'Banana' })
    expect(answerTo(question, { ids: ['a', 'b'] })).toBe('refused: Choose one option.')
    expect(answerTo(question, { ids: ['x'] })).toBe('refused: Choose from the options of the question.')
    expect(answerTo(question, { ids: [], other: null })).toBe('skipped')
  })

  it('[RESP-07] accepts each option once for multiple_choice and orders labels by ids', () => {
    const question = questionOf('multiple_choice', { min: 2, max: 2 })
    expect(answerTo(question, { ids: ['c', 'a'], other: null })).toEqual({
      value: { ids: ['c', 'a'], other: null },
      text: 'Cherry, Apple',
    })
    expect(answerTo(question, { ids: ['a', 'a'] })).toBe('refused: Choose each option once.')
    expect(answerTo(question, { ids: ['a'] })).toBe('refused: Choose at least 2 options.')
    expect(answerTo(question, { ids: ['a', 'b', 'c'] })).toBe('refused: Choose at most 2 options.')
  })

  it('[RESP-07] accepts an other text only where it is allowed and puts it last', () => {
    const open = questionOf('multiple_choice', { allow_other: true })
    expect(answerTo(open, { ids: ['a'], other: 'Fig' })).toEqual({
      value: { ids: ['a'], other: 'Fig' },
      text: 'Apple, Fig',
    })
    expect(answerTo(open, { ids: [], other: 'Fig' })).toEqual({
      value: { ids: [], other: 'Fig' },
      text: 'Fig',
    })
    expect(answerTo(open, { ids: ['a'], other: '  ' })).toEqual({
      value: { ids: ['a'], other: null },
      text: 'Apple',
    })
    expect(answerTo(open, { ids: ['a'], other: 5 })).toEqual(refused)
    expect(answerTo(questionOf('multiple_choice'), { ids: ['a'], other: 'Fig' })).toEqual(refused)
    const one = questionOf('single_choice', { allow_other: true })
    expect(answerTo(one, { ids: ['a'], other: 'Fig' })).toBe('refused: Choose one option.')
  })

  it('[RESP-07] gives yes_no the options yes and no', () => {
    const question = questionOf('yes_no')
    expect(answerTo(question, { ids: ['yes'], other: null })).toEqual({
      value: { ids: ['yes'], other: null },
      text: 'Yes',
    })
    expect(answerTo(question, { ids: ['no'], other: null })).toEqual({
      value: { ids: ['no'], other: null },
      text: 'No',
    })
    for (const bad of [{ ids: ['maybe'] }, { ids: ['yes', 'no'] }, { ids: [], other: 'x' }, 'yes', true]) {
      expect(answerTo(question, bad)).toEqual(refused)
    }
  })

  it('[RESP-07] requires a ranking to have every option once and keeps its order', () => {
    const question = questionOf('ranking')
    expect(answerTo(question, { ids: ['c', 'a', 'b'], other: null })).toEqual({
      value: { ids: ['c', 'a', 'b'], other: null },
      text: 'Cherry, Apple, Banana',
    })
    expect(answerTo(question, { ids: ['c', 'a'] })).toBe(
      'refused: Rank every option, each in a different place.',
    )
    expect(answerTo(question, { ids: ['c', 'a', 'a'] })).toBe('refused: Choose each option once.')
    expect(answerTo(question, { ids: ['c', 'a', 'b'], other: 'x' })).toEqual(refused)
    expect(answerTo(question, { ids: ['c'] }, true)).toEqual({
      value: { ids: ['c'], other: null },
      text: 'Cherry',
    })
  })

  it.each(['single_choice', 'multiple_choice', 'dropdown', 'yes_no', 'ranking'] as const)(
    '[RESP-07] %s refuses every other shape',
    (type) => {
      for (const bad of [
        'a',
        ['a'],
        1,
        {},
        { ids: 'a' },
        { ids: { 0: 'a' } },
        { ids: [1] },
        { ids: [null] },
        { ids: [['a']] },
        { ids: ['__proto__'] },
        { ids: ['constructor'] },
      ]) {
        expect(answerTo(questionOf(type), bad)).toEqual(refused)
      }
    },
  )
})

describe('grids', () => {
  it('[RESP-07] maps a row to a column for grid_single', () => {
    const question = questionOf('grid_single')
    expect(answerTo(question, { r2: 'c1', r1: 'c2' })).toEqual({
      value: { r1: 'c2', r2: 'c1' },
      text: 'Row one: Bad; Row two: Good',
    })
    expect(answerTo(question, { r1: 'c1' })).toEqual({ value: { r1: 'c1' }, text: 'Row one: Good' })
    for (const bad of [
      { r9: 'c1' },
      { r1: 'c9' },
      { r1: ['c1'] },
      { r1: 1 },
      [],
      'r1',
      JSON.parse('{"__proto__":"c1"}'),
    ]) {
      expect(answerTo(question, bad)).toEqual(refused)
    }
    expect(answerTo(question, {})).toBe('skipped')
    expect(answerTo(question, { r1: '', r2: null })).toBe('skipped')
  })

  it('[RESP-07] writes the text of a grid in form order, whatever the ids of its rows', () => {
    const rows = ['10', 'r', '2'].map((id) => ({ id, label: `Row ${id}` }))
    const columns = [{ id: 'x', label: 'X' }]
    const text = (type: 'grid_single' | 'grid_multiple', value: unknown) =>
      answerTo(questionOf(type, { rows, columns }), value)
    expect(text('grid_single', { 2: 'x', 10: 'x', r: 'x' })).toMatchObject({
      text: 'Row 10: X; Row r: X; Row 2: X',
    })
    expect(text('grid_multiple', { 2: ['x'], 10: ['x'] })).toMatchObject({ text: 'Row 10: X; Row 2: X' })
  })

  it('[RESP-07] maps a row to columns for grid_multiple', () => {
    const question = questionOf('grid_multiple')
    expect(answerTo(question, { r1: ['c2', 'c1'], r2: [] })).toEqual({
      value: { r1: ['c2', 'c1'] },
      text: 'Row one: Bad, Good',
    })
    for (const bad of [
      { r1: 'c1' },
      { r1: '' },
      { r1: 5 },
      { r1: { 0: 'c1' } },
      { r1: ['c1', 'c1'] },
      { r1: ['c9'] },
      { r1: [['c1']] },
      { r9: ['c1'] },
    ]) {
      expect(answerTo(question, bad)).toEqual(refused)
    }
  })

  it('[RESP-07] requires every row of a required grid', () => {
    expect(answerTo(questionOf('grid_single', { required: true }), { r1: 'c1' })).toBe(
      'refused: Answer every row.',
    )
    expect(answerTo(questionOf('grid_multiple', { required: true }), { r1: ['c1'], r2: [] })).toBe(
      'refused: Answer every row.',
    )
    expect(answerTo(questionOf('grid_single', { required: true }), { r1: 'c1', r2: 'c2' })).toMatchObject({
      text: 'Row one: Good; Row two: Bad',
    })
    expect(answerTo(questionOf('grid_single', { required: true }), { r1: 'c1' }, true)).toMatchObject({
      text: 'Row one: Good',
    })
  })
})

describe('files and addresses', () => {
  const cv = { id: 'file_1', name: 'cv.pdf', size: 10 }
  const letter = { id: 'file_2', name: 'letter.pdf', size: 20 }

  it('[RESP-07] accepts uploads for file and writes their names as text', () => {
    expect(answerTo(questionOf('file'), [cv, letter])).toEqual({
      value: [cv, letter],
      text: 'cv.pdf, letter.pdf',
    })
    expect(answerTo(questionOf('file', { max: 1 }), [cv, letter])).toBe('refused: Add at most 1 file.')
    expect(answerTo(questionOf('file', { min: 2 }), [cv])).toBe('refused: Add at least 2 files.')
    expect(answerTo(questionOf('file'), [cv, cv])).toBe('refused: Add each file once.')
    expect(answerTo(questionOf('file'), [])).toBe('skipped')
    expect(answerTo(questionOf('file'), cv)).toEqual({ value: [cv], text: 'cv.pdf' })
    for (const bad of [{}, 'file_1', [null], ['file_1'], [{ id: 1 }], [{}]]) {
      expect(answerTo(questionOf('file'), bad)).toEqual(refused)
    }
  })

  it('[RESP-07] names the uploads that a response keeps', () => {
    const questions = questionsOf(
      { id: 'cv', type: 'file', title: 'CV' },
      { id: 'sign', type: 'signature', title: 'Signature' },
      { id: 'name', type: 'short_text', title: 'Name' },
    )
    expect(submit(questions, { cv: [cv], sign: [letter], name: 'Ann' })).toMatchObject({
      value: { fileIds: ['file_1', 'file_2'] },
    })
  })

  it('[RESP-07] accepts one upload for signature', () => {
    expect(answerTo(questionOf('signature'), [cv])).toEqual({ value: [cv], text: 'cv.pdf' })
    expect(answerTo(questionOf('signature'), [cv, letter])).toBe('refused: Add one signature.')
  })

  it('[RESP-07] joins the six parts of an address without the empty ones', () => {
    const question = questionOf('address')
    expect(answerTo(question, { line1: '1 Main St', city: 'Springfield', country: 'USA' })).toEqual({
      value: { line1: '1 Main St', line2: '', city: 'Springfield', region: '', postal: '', country: 'USA' },
      text: '1 Main St, Springfield, USA',
    })
    expect(answerTo(question, { line1: '', line2: ' ' })).toBe('skipped')
    for (const bad of [{ street: 'x' }, { line1: 5 }, 'x', [], JSON.parse('{"__proto__":"x","line1":"y"}')]) {
      expect(answerTo(question, bad)).toEqual(refused)
    }
  })
})
