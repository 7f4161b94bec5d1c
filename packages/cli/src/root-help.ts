/** What `formwire --help` prints, ready made for a fast start. scripts/write-root-help.ts writes it, a test holds it to the grammar. */
export const ROOT_HELP = `Usage: formwire [options] [command]

Forms, responses and webhooks from a terminal or a script.

Options:
  --version         print the version
  --base-url <url>  root of the service; else FORMWIRE_BASE_URL or the profile
                    (no default)
  --profile <name>  use the key and server of a stored profile; beats
                    FORMWIRE_API_KEY
  --json            print bare data as one JSON document, or as NDJSON for
                    streams
  --no-color        no colour (NO_COLOR and FORCE_COLOR are obeyed too)
  --yes             do not ask before deleting
  --quiet           no remarks and no progress on stderr; errors are still told
  -h, --help        show help

Commands:
  whoami            show whose key is used, and where it came from
  login             store a key as a profile
  logout            remove a stored profile
  forms             list forms and change their status or title
  responses         read, follow, export and delete responses
  webhooks          list, create and delete webhook endpoints
  deliveries        read a reference server's delivery log
  listen            receive webhooks here: verify, show, forward
  replay            send a recorded delivery again, newly signed
  serve             run the reference server
  conformance       check a service against the documented rules
  completion        print a completion script for bash, zsh or fish

The key comes from FORMWIRE_API_KEY, a profile, or stdin at login; it is never an option.

Examples:
  $ formwire login --with-key --base-url https://forms.example.com < key.txt
  $ formwire forms list --status published
  $ formwire responses tail FORM --json

Exit codes:
    0  done
    1  failed
    2  wrong usage
    3  not found
    4  not authenticated or not allowed
    5  rate limited
    6  could not reach the server
  130  interrupted
`
