import { describe, expect, it } from 'vitest'
import { csvLine } from '../src/csv.ts'

describe('csvLine()', () => {
  it('quotes what a separator or a line break is in, and keeps numbers', () => {
    expect(csvLine(['a', 'b,c', 'd"e', 'f\ng', 'h;i', 'j\tk', -7, 0, null, undefined, ''])).toBe(
      'a,"b,c","d""e","f\ng","h;i","j\tk",-7,0,,,\r\n',
    )
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['+1+1', "'+1+1"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\uff1dA1', "'\uff1dA1"],
    ['\uff0b1', "'\uff0b1"],
    ['+49-30-1234', "'+49-30-1234"],
    ['-1/2', "'-1/2"],
    ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
    ['\t=1', `"'\t'=1"`],
    ['\n=1', `"'\n'=1"`],
  ])('puts an apostrophe before %j', (value, expected) => {
    expect(csvLine([value])).toBe(`${expected}\r\n`)
  })

  it.each(['+1 555 014 7788', '+49 (30) 1234567', '-5', '-', '+1.5', '-3 000', 'a=b', '5-3'])(
    'leaves %j as it is',
    (value) => expect(csvLine([value])).toBe(`${value}\r\n`),
  )

  it.each([
    ["x;=cmd|' /C calc'!A0", `"x;'=cmd|' /C calc'!A0"`],
    ['x\t@SUM(A1)', `"x\t'@SUM(A1)"`],
    ['x;"=1"', `"x;""'=1"""`],
    ['x; -1+1;+1+1', `"x; '-1+1;'+1+1"`],
    ['x\n-2;-3 000\n+49 (30) 12;-1+1', `"x\n-2;-3 000\n+49 (30) 12;'-1+1"`],
    ['x;-1,=1', `"x;'-1,=1"`],
    ['x;\uff1d1', `"x;'\uff1d1"`],
    ['x\n=1', `"x\n'=1"`],
    ['x\r\n+1+1', `"x\r\n'+1+1"`],
    ['- one\n- two', `"'- one\n- two"`],
    ['a;b', '"a;b"'],
  ])('guards what begins a cell after another separator in %j', (value, expected) => {
    expect(csvLine([value])).toBe(`${expected}\r\n`)
  })
})
