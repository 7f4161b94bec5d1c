/** Page that explains every error, with an anchor for each code or class. */
export const HELP_PAGE = 'https://formwire.example/how-to/troubleshooting.html'

/** Returns the URL of the section about an error. */
export const helpUrlOf = (anchor: string): string => `${HELP_PAGE}#${anchor}`
