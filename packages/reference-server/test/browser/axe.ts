import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: unknown; readonly failureSummary?: string }[]
}

/** Axe, as the page sees it. */
interface AxeWindow {
  readonly axe?: {
    run(context: Document, options: object): Promise<{ violations: Violation[] }>
  }
}

/**
 * Returns the violations that axe finds, of any impact, one line each. Axe is loaded once a page, so that it stays compiled.
 *
 * @param rules Runs only these. @default all that axe runs by default
 */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async (options) => {
      const { violations } = await (window as AxeWindow).axe!.run(document, options)
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(' | ')}`,
      )
    },
    // The only frame is the preview, a public form, which has tests of its own and runs no scripts.
    { iframes: false, resultTypes: ['violations'], ...(rules && { runOnly: rules }) },
  )
}
