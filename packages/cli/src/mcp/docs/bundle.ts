import type { DocsBundle } from '../../../../../scripts/docs/bundle.ts'

export type { DocsBundle, DocsPage } from '../../../../../scripts/docs/bundle.ts'

/** Reads the documentation from the repository. The published package has a module that reads its own file instead. */
export async function loadBundle(): Promise<DocsBundle> {
  const { docsBundle } = await import('../../../../../scripts/docs/bundle.ts')
  const { commandPages } = await import('../../../scripts/command-reference.ts')
  return docsBundle(commandPages())
}
