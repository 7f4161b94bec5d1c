/** Version in the user agent. A test keeps it equal to the one in package.json. */
export const VERSION = '0.0.0'
