import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Takes a picture of the docs again if `FORMWIRE_SCREENSHOTS=1`. To add one, create an empty file with its name first. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const path = fileURLToPath(new URL(`../../../../docs/screenshots/${name}.png`, import.meta.url))
  if (process.env.FORMWIRE_SCREENSHOTS !== '1' || !existsSync(path)) return
  // No row is highlighted under the pointer.
  await page.mouse.move(0, 0)
  await page.screenshot({ path })
}
