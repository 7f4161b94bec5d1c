import { describe, expect, it } from 'vitest'
import { redact, safeJson, safeLine, safeLines } from '../../src/output/text-safety.ts'

describe('text from outside', () => {
  it('loses control characters, C1 included, and keeps everything else', () => {
    expect(safeLine('a\u001b[31mb\u0007\u009bc\u007f ä 日本 👍')).toBe('a[31mbc ä 日本 👍')
  })
  it('loses the marks that turn the direction of text', () => {
    expect(safeLine('user\u202egnp.exe\u2066x\u2069\u200f')).toBe('usergnp.exex')
  })
  it('comes on one line: breaks and tabs become a space', () => {
    expect(safeLine(' one\r\ntwo\tthree\u2028four\n')).toBe('one two three four')
  })
  it('may keep line feeds where a cell takes several lines', () => {
    expect(safeLines('one\r\ntwo\rthree\u001b[2Jfour\tfive')).toBe('one\ntwo\nthree[2Jfour five')
  })
  it('is the same value in JSON, with nothing in it that a terminal obeys', () => {
    const value = { title: 'a\u001b]0;x\u0007\u009b2J\u202e', n: 1 }
    const text = safeJson(value)
    expect(text).toBe('{"title":"a\\u001b]0;x\\u0007\\u009b2J\\u202e","n":1}')
    expect(JSON.parse(text)).toEqual(value)
  })
})

describe('[AUTH-02] keys and secrets in errors', () => {
  it('are cut down to their prefix wherever they stand', () => {
    expect(redact('unknown option --api-key=svc_abcDEF123, and "whsec_qwe.rty"')).toBe(
      'unknown option --api-key=svc_[redacted], and "whsec_[redacted]"',
    )
  })
  it('are recognised without a prefix when the command knows them', () => {
    expect(redact('token hunter2-hunter2 refused', ['hunter2-hunter2'])).toBe('token [redacted] refused')
  })
})
