/** Version in the user agent; a test holds it to package.json. */
export const VERSION = '0.0.0'
