/** What errors of the program advise on a command line, and what to do with the tools instead. */
const INSTEAD: readonly (readonly [advice: RegExp, instead: string])[] = [
  [/see formwire forms list\b/, 'the tool forms lists them'],
  [/see formwire responses list (\S+)/, 'the tool responses lists them: {"form": "$1"}'],
  [/see formwire webhooks list (\S+)/, 'the tool forms lists them: {"form": "$1"}'],
  [/see formwire whoami\b/, 'the user can run formwire whoami'],
  [/\bwith --sample N\b/, 'with a smaller sample'],
  [/\bthen run the command again\b/, 'then call the tool again'],
  [
    /start the server with --clock manual, or in process with clock: "manual"/,
    'stop it and start one with {"action": "start", "clock": "manual"}, tool server',
  ],
]

/** Returns a message or hint with tools instead of commands. */
export const namingTools = (text: string): string =>
  INSTEAD.reduce((told, [advice, instead]) => told.replace(advice, instead), text)
