/** Page that explains every error, with an anchor for each code. */
const HELP_PAGE = 'https://formwire.example/how-to/troubleshooting.html'

/** Returns the URL of the section about an error code. An HTTP status without a code of the service has a common one. */
export function helpUrlOf(code: string): string {
  return `${HELP_PAGE}#${/^http_\d+$/.test(code) ? 'http_status' : code}`
}
