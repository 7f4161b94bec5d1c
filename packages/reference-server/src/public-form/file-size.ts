const MIB = 1_048_576

const sizeText = (bytes: number): string =>
  bytes < MIB ? `${bytes} bytes` : `${Math.round((bytes / MIB) * 10) / 10} MiB`

/** Why one file is not taken, for whoever chose it. */
export const tooLarge = (maxBytes: number): string =>
  `The file is too large: it may have up to ${sizeText(maxBytes)}.`

/** Why no file is taken at all at the moment. */
export const noRoom = (maxBytes: number): string =>
  `There is no room for the file: all uploads together may have ${sizeText(maxBytes)}.`
