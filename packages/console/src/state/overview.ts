import type { OverviewSpan } from '@formwire/contract/control'
import { signal } from '@preact/signals'
import { catalogPart } from './catalog-request.ts'
import { resource } from './resource.ts'

/** The span that the overview shows. */
export const overviewSpan = signal<OverviewSpan>('7d')

export const overview = resource(() => catalogPart('overview', { span: overviewSpan.peek() }))

/** Shows another span. The old one stays until it is loaded. */
export function showSpan(span: OverviewSpan): void {
  overviewSpan.value = span
  void overview.refresh()
}
