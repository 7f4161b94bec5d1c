/**
 * Real milliseconds that a test waits for something that will happen. Far more than it takes, because a loaded machine can
 * be ten times slower; a third of the timeout of a test, so that a failure names what is missing.
 */
export const WAIT_MS = 60_000

/** Options of `receiver.waitFor`, `kit.waitForDelivery` and their like. */
export const PATIENT = { timeoutMs: WAIT_MS }

/** Milliseconds after which a test fails that has not ended. */
export const TEST_TIMEOUT_MS = 3 * WAIT_MS
