import { defineCommand, formsNamed } from '../../command.ts'
import { usage } from '../../failure.ts'
import { parsePostgres } from '../../input/database-target.ts'
import { required, urlOption } from '../../input/parse.ts'
import { chooseForm } from '../../pickers/choose.ts'
import { ENSURED_FIELDS } from '../../webhooks/ensured.ts'
import { chosenForms } from '../sync.ts'

interface EnsureFlags {
  all?: boolean
  url?: string
  secrets?: string
  replace?: boolean
}

/** `formwire webhooks ensure FORM… --url URL --secrets FILE` */
export const webhooksEnsure = defineCommand<EnsureFlags>({
  path: ['webhooks', 'ensure'],
  summary: 'create the missing endpoints of forms and store their secrets',
  description:
    'Creates an endpoint on each form that has none with this URL, and stores its secret where a receiver finds it: in a file with ' +
    'createFileSecrets(), or in PostgreSQL with createPostgresSecrets() of @formwire/webhook-verify/secrets. Prints no secret. Run it again ' +
    'for new forms: what exists is kept. Two runs at once create one endpoint per form. A form that fails is listed, and the others are done.\n' +
    'The password of PostgreSQL comes from FORMWIRE_DATABASE_URL or the variables of libpq (PGHOST …), not from an option. Requires a ' +
    'write key, and one request per form, or three for a new endpoint.',
  arguments: [
    { name: '[forms...]', description: 'ids of the forms', choose: chooseForm, isNeeded: ({ all }) => !all },
  ],
  options: [
    { flags: '--all', description: 'all forms of the workspace' },
    {
      flags: '--url <url>',
      description: 'URL of the endpoints; {form} stands for the id of the form',
      parse: urlOption('--url'),
    },
    {
      flags: '--secrets <store>',
      description: 'a file, postgres, or a postgres:// URL without a password',
    },
    {
      flags: '--replace',
      description: 'delete an endpoint whose secret is not stored, once its successor exists',
    },
  ],
  examples: [
    [
      'formwire webhooks ensure --all --url https://hooks.example.com/formwire --secrets secrets.json',
      'create an endpoint on every form',
    ],
    [
      'formwire webhooks ensure --all --url https://hooks.example.com/{form} --secrets postgres',
      'one URL per form, secrets in the database of FORMWIRE_DATABASE_URL',
    ],
  ],
  exits: [1, 3, 4, 5, 6],
  fields: ENSURED_FIELDS,
  task: (forms) => `ensure the webhook endpoints of ${formsNamed(forms)}`,
  check(context, { url, secrets }) {
    if (url === undefined) throw usage('missing required option --url', 'pass the URL of your receiver')
    if (secrets === undefined || secrets === '')
      throw usage('missing required option --secrets', 'name a file, or use postgres')
    parsePostgres('--secrets', secrets, context.runtime.env)
  },
  async run(context, [given], options) {
    const forms = chosenForms((given ?? []) as readonly string[], options.all === true)
    const secrets = required(options.secrets)
    const target = parsePostgres('--secrets', secrets, context.runtime.env)
    for (const secret of target?.secrets ?? []) context.hide(secret)
    const { runEnsure } = await import('../../webhooks/run-ensure.ts')
    await runEnsure(context, {
      forms,
      url: required(options.url),
      store: target ?? { kind: 'file', path: secrets },
      replaces: options.replace === true,
    })
  },
})
