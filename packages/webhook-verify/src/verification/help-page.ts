/** Page that explains every error, with an anchor for each code. */
export const HELP_PAGE = 'https://formwire.example/how-to/troubleshooting.html'
