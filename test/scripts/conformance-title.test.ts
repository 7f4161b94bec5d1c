import { expect, it } from 'vitest'
import { readTitle } from '../../scripts/conformance/title.ts'

// The titles have numbers: with the examples in them they would be part of the matrix.
it.each([
  ['the API > [AUTH-01] rejects it', ['AUTH-01'], 'the API > rejects it', []],
  ['[AUTH-01] [AUTH-03] rejects both', ['AUTH-01', 'AUTH-03'], 'rejects both', []],
  ['[AUTH-01, AUTH-03] rejects both', ['AUTH-01', 'AUTH-03'], 'rejects both', []],
  ['[DLV-06][DLV-06] retries', ['DLV-06'], 'retries', []],
  ['names no rule', [], 'names no rule', []],
  ['accepts [] and ["a"] and [1]', [], 'accepts [] and ["a"] and [1]', []],
])('reads the rules of title %#', (title, rules, text, unreadable) => {
  expect(readTitle(title)).toEqual({ rules, text, unreadable })
})

it.each([
  '[AUTH-01,AUTH-03]',
  '[AUTH-01 AUTH-03]',
  '[AUTH-01/AUTH-03]',
  '[auth-01]',
  '[AUTH_01]',
  '[AUTH 01]',
  '[AUTH-01 and ME]',
])('reports brackets whose ids would be lost, %#', (brackets) => {
  expect(readTitle(`${brackets} rejects both`)).toMatchObject({ rules: [], unreadable: [brackets] })
})
