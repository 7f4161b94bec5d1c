import { describe, expect, it } from 'vitest'
import { createReferenceServer, OptionError } from '../src/index.ts'
import { resolveSettings } from '../src/options.ts'

it('[DLV-05] sets the deadline of a delivery attempt to ten seconds by default', () => {
  expect(resolveSettings({}).deliveryTimeoutMs).toBe(10_000)
  expect(resolveSettings({ deliveryTimeoutMs: 50 }).deliveryTimeoutMs).toBe(50)
})

describe('invalid options', () => {
  it.each([
    [{ clock: 'slow' }, 'clock must be "real", "manual" or a clock object.'],
    [{ now: 'today', clock: 'manual' }, 'now must be an ISO 8601 date-time'],
    [{ now: '2026-11-21' }, 'now requires a manual clock'],
    [
      { now: 1_795_000_000, clock: 'manual' },
      'now must be in milliseconds; 1795000000 looks like seconds: pass now * 1000.',
    ],
    [
      { now: new Date(1_795_000_000), clock: 'manual' },
      'now must be in milliseconds; 1795000000 looks like seconds: pass now * 1000.',
    ],
    [{ addressRules: 'none' }, 'addressRules must be one of development, production, loopback.'],
    [{ limits: { activeKeys: '3' } }, 'limits.activeKeys must be a number of 0 or more.'],
    [{ limits: 120 }, "limits must be 'off' or an object of limits."],
    [{ limits: null }, "limits must be 'off' or an object of limits."],
    [{ deliveryTimeoutMs: 0 }, 'deliveryTimeoutMs must be a positive integer.'],
    [{ dns: 'none' }, 'dns must be a function'],
    [{ dns: { 'a.example.com': '203.0.114.7' } }, 'dns must be a function'],
    [{ adminToken: '' }, 'adminToken must contain only printable ASCII characters, no white space.'],
    [{ adminToken: 'two words' }, 'adminToken must contain only printable ASCII characters, no white space.'],
    [{ publicUrl: 'forms.example.com' }, 'publicUrl must be an http or https URL, got "forms.example.com".'],
    [{ allowedHosts: 'formwire' }, 'allowedHosts must be an array of host names.'],
    [{ journalSize: -1 }, 'journalSize must be an integer of 0 or more.'],
  ])('throws OptionError for %j', (options, message) => {
    const make = () => createReferenceServer(options as never)
    expect(make).toThrow(OptionError)
    expect(make).toThrow(message)
  })

  it('keeps the token out of the error message', () => {
    const secret = 'a secret'
    expect(() => createReferenceServer({ adminToken: secret })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(secret) }),
    )
  })
})
