import { type FormwireKit, type StartOptions, startFormwire } from './start.ts'

/** What a vitest fixture is given of the test it serves. */
interface FixtureTask {
  readonly task?: { readonly result?: { readonly state?: string } | undefined }
}

/**
 * A vitest fixture: every test that names it gets a service of its own.
 *
 * ```ts
 * const test = base.extend<{ formwire: FormwireKit }>({ formwire: formwireFixture({ seed }) })
 * test('closes a form', async ({ formwire }) => {})
 * ```
 *
 * A costly seed is loaded once, by the first test that needs it; each test works on a fork of it. A failing test under
 * `unspecified: 'random:SEED'` says which seed it was.
 */
export function formwireFixture(options: StartOptions = {}) {
  let origin: Promise<FormwireKit> | undefined
  return async ({ task }: FixtureTask, use: (kit: FormwireKit) => Promise<void>): Promise<void> => {
    // The origin has no port and no alarm of its own in use: its receiver alone is closed, with the process.
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
    if (task?.result?.state === 'fail' && typeof unspecified === 'string' && unspecified !== 'default') {
      console.error(`Formwire ran with unspecified: ${unspecified}`)
    }
  }
}
