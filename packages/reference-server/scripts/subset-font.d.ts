declare module 'subset-font' {
  /** Returns the font with the glyphs of the text only. */
  // biome-ignore lint/style/noDefaultExport: as the package exports it
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      targetFormat: 'woff2'
      /** Values to keep of each axis; a number fixes the axis. */
      variationAxes: Readonly<Record<string, number | { min: number; max: number }>>
      /** OpenType features. @default all */
      keepFeatures: readonly string[]
    },
  ): Promise<Buffer>
}
