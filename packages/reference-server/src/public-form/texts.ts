const MIB = 1_048_576

const KIB = 1024

const rounded = (size: number): number => Math.round(size * 10) / 10

/** Formats a number of bytes as `900 bytes`, `12.5 KiB`, or `3 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes < KIB) return `${bytes} bytes`
  return bytes < MIB ? `${rounded(bytes / KIB)} KiB` : `${rounded(bytes / MIB)} MiB`
}

/** Error for a file that exceeds the size limit. */
export const tooLarge = (maxBytes: number): string =>
  `The file is too large. The limit is ${sizeText(maxBytes)}.`

/** Error for a file beyond the number of all uploads. */
export const tooManyUploads = (max: number): string =>
  `The file cannot be stored: the server keeps at most ${max} uploads.`

/** Error for a file that exceeds the space left for all uploads together. */
export const noSpaceLeft = (maxBytes: number): string =>
  `The file cannot be stored: uploads are limited to ${sizeText(maxBytes)} in total.`

/** Returns the heading of the errors above a form, by the number of answers with an error. */
export function summaryTitle(count: number): string {
  if (count === 0) return 'Please submit again'
  return `Please check ${count === 1 ? 'one answer' : `${count} answers`}`
}
