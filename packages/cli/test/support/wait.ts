/** Asks until the condition holds. Fails after `limitMs`, with what was waited for. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  limitMs = 8_000,
): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}
