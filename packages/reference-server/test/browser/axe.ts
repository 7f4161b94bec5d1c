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

/** What axe runs. @default every rule that it runs by default, and the size of targets (WCAG 2.5.8) */
export interface AxeOptions {
  /** Only these rules. */
  readonly only?: readonly string[]
  /** Every rule but these. */
  readonly without?: readonly string[]
  /** Selector of the part to check. @default the whole page */
  readonly within?: string
}

/** Rules of colours: all that another colour scheme can break. */
export const COLOUR_RULES: readonly string[] = ['color-contrast', 'link-in-text-block']

/**
 * Returns the violations that axe finds, of any impact, one line each. Axe is loaded once a page, so that it stays compiled.
 */
export async function axeViolations(
  page: Page,
  { only, without = [], within = 'html' }: AxeOptions = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async ({ within, ...options }) => {
      // What has the same markup as an earlier cell, or the same colours as an earlier line of code, has the same faults: colours
      // take most of the time.
      const kinds = new Set<string>()
      const repeated = [...document.querySelectorAll('tbody td, .grid-body .cell, pre .line')].filter(
        (part) => {
          const isCode = part.matches('pre .line')
          const around = isCode ? ['pre', '.custom-block'] : ['tr, [role=row]']
          const edge = part.closest('pre')?.getBoundingClientRect().right ?? Number.POSITIVE_INFINITY
          // Axe compares no colours of single characters, nor of what has to be scrolled to.
          const inner = [...part.querySelectorAll('*')].filter(
            (element) =>
              !isCode ||
              ((element.textContent?.trim().length ?? 0) > 1 &&
                element.getBoundingClientRect().right <= edge),
          )
          const elements = [...around.map((outer) => part.closest(outer)), part, ...inner]
          const markup = elements.map((element) =>
            [
              element?.tagName,
              element?.className,
              ...(isCode ? [element?.getAttribute('style')] : (element?.getAttributeNames() ?? [])),
            ].join(' '),
          )
          return kinds.size === kinds.add((isCode ? [...new Set(markup)].sort() : markup).join()).size
        },
      )
      const context = { include: [within], exclude: repeated }
      const { violations } = await (window as AxeWindow).axe!.run(context, options)
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(' | ')}`,
      )
    },
    {
      // The only frame is the preview, a public form, which has tests of its own and runs no scripts.
      iframes: false,
      // Style sheets are read for an experimental rule only, and there is no audio.
      preload: false,
      resultTypes: ['violations'],
      rules: {
        'target-size': { enabled: true },
        ...Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
      },
      ...(only && { runOnly: only }),
      within,
    },
  )
}
