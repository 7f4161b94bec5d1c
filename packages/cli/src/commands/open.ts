import { defineCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { Failure, usage } from '../failure.ts'
import { FORM } from '../pickers/arguments.ts'

/** `formwire open FORM` */
export const open = defineCommand<{ console?: boolean; print?: boolean }>({
  path: ['open'],
  summary: 'open the public link of a form in the browser',
  description:
    'Prints the URL and, on a terminal, opens it in the browser: the one in BROWSER, else the default one. When piped or ' +
    'with --print, only prints it.',
  arguments: [{ ...FORM, name: '[form]', isNeeded: ({ console }) => !console }],
  options: [
    { flags: '--console', description: 'open the console of a reference server instead' },
    { flags: '--print', description: 'print the URL only' },
  ],
  examples: [
    ['formwire open 8hTq2LmVx4Rb', 'open the public link of the form'],
    ['formwire open --console', 'open the console of the reference server'],
  ],
  exits: [1, 3, 4, 5, 6],
  fields: ['url'],
  task: ([form]) => `open form ${form}`,
  async run(context, [formId], options) {
    if ((formId === undefined) === (options.console !== true)) {
      throw usage('pass a form id or --console', 'formwire open FORM, or formwire open --console')
    }
    const url = formId === undefined ? `${context.baseUrl()}/_app/console` : await publicLink(context, formId)
    const { output, runtime } = context
    if (output.json) await output.document({ url })
    else await output.line(url)
    if (formId === undefined)
      output.note(
        runtime.env.FORMWIRE_ADMIN_TOKEN
          ? 'sign in with the admin token in FORMWIRE_ADMIN_TOKEN'
          : 'sign in with the admin token that formwire-server printed when it started',
        'wait',
      )
    if (options.print || output.json || !output.isTerminal) return
    try {
      await runtime.openUrl(url)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const missing = code === 'ENOENT' ? /^spawn (.+) ENOENT$/.exec(message)?.[1] : undefined
      throw new Failure(`could not open a browser: ${missing ? `${missing} not found` : message}`, {
        exitCode: EXIT.failed,
        code: 'no_browser',
        hint: 'open the URL above yourself, or set BROWSER to the program to use',
      })
    }
  },
})

const IS: Readonly<Record<string, string>> = { draft: 'a draft' }

async function publicLink(context: Context, formId: string): Promise<string> {
  const { status, url } = await (await context.client()).forms.get(formId)
  if (status !== 'published')
    context.output.note(`form ${formId} is ${IS[status] ?? status}: its link accepts no responses`, 'wait')
  const protocol = URL.canParse(url) ? new URL(url).protocol : ''
  // Without control characters, which a terminal would obey.
  if (protocol === 'http:' || protocol === 'https:') return new URL(url).href
  throw new Failure(`the public link of form ${formId} is not an http or https URL`, {
    exitCode: EXIT.failed,
    code: 'no_link',
  })
}
