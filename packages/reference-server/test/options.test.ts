import { describe, expect, it } from 'vitest'
import { createReferenceServer, OptionError } from '../src/index.ts'

describe('an option that cannot be used is refused when the server is made', () => {
  it.each([
    [{ clock: 'slow' }, 'clock takes "real", "manual" or a clock.'],
    [{ now: 'today', clock: 'manual' }, 'now takes an ISO 8601 date-time'],
    [{ now: '2026-11-21' }, 'now is for a manual clock'],
    [{ addressRules: 'none' }, 'addressRules takes "development" or "production".'],
    [{ limits: { perMinute: 3 } }, 'limits.perMinute is not known.'],
    [{ limits: { activeKeys: '3' } }, 'limits.activeKeys takes a number from 0.'],
    [{ limits: 120 }, "limits takes 'off' or an object of limits."],
    [{ limits: null }, "limits takes 'off' or an object of limits."],
    [{ deliveryTimeoutMs: 0 }, 'deliveryTimeoutMs takes a number of milliseconds above 0.'],
    [{ dns: 'none' }, 'dns takes a function'],
    [{ adminToken: '' }, 'adminToken takes visible ASCII characters without white space.'],
    [{ adminToken: 'two words' }, 'adminToken takes visible ASCII characters without white space.'],
    [
      { publicUrl: 'forms.example.com' },
      'publicUrl takes an http or https address, not "forms.example.com".',
    ],
    [{ allowedHosts: 'formwire' }, 'allowedHosts takes a list of names.'],
    [{ journalSize: -1 }, 'journalSize takes a whole number from 0.'],
  ])('%j', (options, message) => {
    const make = () => createReferenceServer(options as never)
    expect(make).toThrow(OptionError)
    expect(make).toThrow(message)
  })

  it('never repeats a token', () => {
    const secret = 'a secret'
    expect(() => createReferenceServer({ adminToken: secret })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(secret) }),
    )
  })
})
