import { type StaticFile, staticFile } from '../http/static-files.ts'
import { lazy } from '../lazy.ts'
import { FONT_FILES } from './names.ts'

const FONT_TYPE = 'font/woff2'

const fontFace = (family: string, weights: string, file: string, range = ''): string =>
  `@font-face{font-family:"${family}";font-weight:${weights};font-display:swap;src:url(${file})format("woff2");${range}}`

/** Start of a style sheet that is served in the folder of the fonts. Browsers load a font when a text has it. */
export const FONT_FACES = [
  fontFace('Inter', '400 700', FONT_FILES.sans),
  fontFace('Inter', '400 700', FONT_FILES.digits, 'unicode-range:U+30-39'),
  fontFace('JetBrains Mono', '400 600', FONT_FILES.mono),
].join('')

/** Elements for the head of a page, so that the fonts of its texts load together with the style sheet that names them. */
export const fontPreloads = (folder: string): string =>
  [FONT_FILES.sans, FONT_FILES.digits]
    .map((file) => `<link rel="preload" href="${folder}/${file}" as="font" type="${FONT_TYPE}" crossorigin>`)
    .join('\n')

/** Returns the fonts by file name. Read on the first call and then cached. */
export const fontAssets = lazy(async (): Promise<ReadonlyMap<string, StaticFile>> => {
  const { bundleFonts } = await import('./bundle.ts')
  const fonts = await bundleFonts()
  const keys = Object.keys(FONT_FILES) as (keyof typeof FONT_FILES)[]
  return new Map(
    keys.map((key) => [FONT_FILES[key], { ...staticFile(FONT_TYPE, fonts[key]), isImmutable: true }]),
  )
})
