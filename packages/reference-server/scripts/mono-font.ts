import { readFileSync } from 'node:fs'
import subsetFont from 'subset-font'

/** Returns the characters of a text in the monospaced font of the console, as a data URL: an SVG used as an image loads no other file. */
export async function monoFontOf(text: string): Promise<string> {
  const whole = readFileSync(new URL('../src/fonts/jetbrains-mono.woff2', import.meta.url))
  const font = await subsetFont(whole, text, {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 600 } },
    keepFeatures: [],
  })
  return `data:font/woff2;base64,${Buffer.from(font).toString('base64')}`
}
