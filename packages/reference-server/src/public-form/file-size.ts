const MIB = 1_048_576

const sizeText = (bytes: number): string =>
  bytes < MIB ? `${bytes} bytes` : `${Math.round((bytes / MIB) * 10) / 10} MiB`

/** Error for a file that exceeds the size limit. */
export const tooLarge = (maxBytes: number): string =>
  `The file is too large. The limit is ${sizeText(maxBytes)}.`

/** Error for a file that exceeds the space left for all uploads together. */
export const noSpaceLeft = (maxBytes: number): string =>
  `The file cannot be stored: uploads are limited to ${sizeText(maxBytes)} in total.`
