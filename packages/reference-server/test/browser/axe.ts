import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: unknown; readonly failureSummary?: string }[]
}

/** Axe, as the page sees it. */
interface AxeWindow {
  readonly axe?: {
    run(context: object, options: object): Promise<{ violations: Violation[] }>
  }
}

/** What axe runs. @default every rule that it runs by default */
export interface AxeOptions {
  /** Only these rules. */
  readonly only?: readonly string[]
  /** Every rule but these. */
  readonly without?: readonly string[]
}

/** Rules of colours: all that another colour scheme can break. */
export const COLOUR_RULES: readonly string[] = ['color-contrast', 'link-in-text-block']

/**
 * Returns the violations that axe finds, of any impact, one line each. Axe is loaded once a page, so that it stays compiled.
 */
export async function axeViolations(page: Page, { only, without = [] }: AxeOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async (options) => {
      // A cell that has the same markup as an earlier one has the same faults: colours take most of the time.
      const kinds = new Set<string>()
      const repeated = [...document.querySelectorAll('tbody td, .grid-body .cell')].filter((cell) => {
        const kind = [cell.closest('tr, [role=row]'), cell, ...cell.querySelectorAll('*')].map((element) =>
          [element?.tagName, element?.className, ...(element?.getAttributeNames() ?? [])].join(' '),
        )
        return kinds.size === kinds.add(kind.join()).size
      })
      const { violations } = await (window as AxeWindow).axe!.run({ exclude: repeated }, options)
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(' | ')}`,
      )
    },
    {
      // The only frame is the preview, a public form, which has tests of its own and runs no scripts.
      iframes: false,
      resultTypes: ['violations'],
      rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
      ...(only && { runOnly: only }),
    },
  )
}
