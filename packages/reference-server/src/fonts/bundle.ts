import { readFile } from 'node:fs/promises'
import type { FONT_FILES } from './names.ts'

/**
 * Reads the fonts. A server that runs from source calls this on the first request. The package's build replaces this module with
 * the result (`tsup.config.ts`).
 */
export async function bundleFonts(): Promise<Record<keyof typeof FONT_FILES, Uint8Array>> {
  const read = (name: string) => readFile(new URL(`./${name}.woff2`, import.meta.url))
  return { sans: await read('inter'), digits: await read('inter-digits'), mono: await read('jetbrains-mono') }
}
