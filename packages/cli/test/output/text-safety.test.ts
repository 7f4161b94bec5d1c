import { describe, expect, it } from 'vitest'
import { redact, safeIndented, safeJson, safeLine, safeLines } from '../../src/output/text-safety.ts'

// cspell:ignore خواهم

describe('untrusted text', () => {
  it.each([
    ['control characters, including C1', 'a\u001b[31mb\u0007\u009bc\u007f ä 日本 👍', 'a[31mbc ä 日本 👍'],
    ['bidirectional marks', 'user\u202egnp.exe\u2066x\u2069\u200f', 'usergnp.exex'],
    [
      'characters without a glyph, but those of emoji and of scripts that need them',
      'a\u{e0041}\u200b\u3164b\ufe0f 👩🏽‍🚀 می\u200cخواهم',
      'ab 👩🏽‍🚀 می\u200cخواهم',
    ],
    ['line breaks and tabs, but spaces', ' one\r\ntwo\tthree\u2028four\n', 'one two three four'],
  ])('has no %s on one line', (_what, text, line) => {
    expect(safeLine(text)).toBe(line)
  })
  it('keeps line feeds in cells of several lines', () => {
    expect(safeLines('one\r\ntwo\rthree\u001b[2Jfour\tfive')).toBe('one\ntwo\nthree[2Jfour five')
    expect(safeLines('a\u{e0041}\nb\u2060')).toBe('a\nb')
  })
  it('keeps the spaces at the start of a line of code', () => {
    expect(safeIndented('    "a": "one\ttwo\u001b[2J" ')).toBe('    "a": "one two[2J"')
  })
  it('is the same value in JSON, with invisible characters escaped', () => {
    const value = { title: 'a\u001b]0;x\u0007\u009b2J\u202e\u{e0041}', n: 1 }
    const text = safeJson(value)
    expect(text).toBe('{"title":"a\\u001b]0;x\\u0007\\u009b2J\\u202e\\udb40\\udc41","n":1}')
    expect(JSON.parse(text)).toEqual(value)
  })
})

describe('[AUTH-02] keys and secrets in errors', () => {
  it('are redacted except their prefix', () => {
    expect(redact('unknown option --api-key=svc_abcDEF123, and "whsec_qwe.rty"')).toBe(
      'unknown option --api-key=svc_[redacted], and "whsec_[redacted]"',
    )
  })
  it('are not redacted twice', () => {
    const once = redact('"svc_abcDEF123"]')
    expect([once, redact(once)]).toEqual(['"svc_[redacted]"]', '"svc_[redacted]"]'])
  })
  it('are redacted without a prefix when they are known', () => {
    expect(redact('token hunter2-hunter2 refused', ['hunter2-hunter2'])).toBe('token [redacted] refused')
    expect(redact('hunter22 password', ['hunter22', 'password'])).toBe('[redacted] [redacted]')
  })
  it('are not redacted when they are a short word that a message may contain', () => {
    const message = 'The admin token is missing or wrong.'
    expect(redact(message, ['wrong', 'token', 'Admin', 'is'])).toBe(message)
  })
})
