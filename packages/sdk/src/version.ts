/** Version in the user agent. Written by scripts/write-version.ts. */
export const VERSION = '0.0.0'
