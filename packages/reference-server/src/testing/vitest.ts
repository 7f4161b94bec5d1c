import { type FormwireKit, refuseUnknownStartOptions, type StartOptions, startFormwire } from './start.ts'

/** The part of vitest's fixture context that is used. */
export interface FixtureTask {
  readonly task?: { readonly result?: { readonly state?: string } | undefined }
}

/**
 * Creates a vitest fixture: every test that uses it gets an independent service.
 *
 * ```ts
 * const test = base.extend<{ formwire: FormwireKit }>({ formwire: formwireFixture({ seed }) })
 * test('closes a form', async ({ formwire }) => {})
 * ```
 *
 * The seed is loaded once, by the first test that needs it, and each test works on a fork. With
 * `unspecified: 'random:SEED'`, a failing test prints the seed.
 */
export function formwireFixture(options: StartOptions = {}) {
  refuseUnknownStartOptions(options)
  let origin: Promise<FormwireKit> | undefined
  return async ({ task }: FixtureTask, use: (kit: FormwireKit) => Promise<void>): Promise<void> => {
    // Only the receiver of the origin holds a resource, its port.
    origin ??= startFormwire(options).then(async (kit) => {
      await kit.receiver.close()
      return kit
    })
    const kit = await (await origin).fork()
    try {
      await use(kit)
    } finally {
      await kit.close()
    }
    const { unspecified = process.env.FORMWIRE_UNSPECIFIED } = options
    if (task?.result?.state === 'fail' && typeof unspecified === 'string' && unspecified !== 'default')
      console.error(`Formwire ran with unspecified: ${unspecified}`)
  }
}
