import project from '../../../../package.json' with { type: 'json' }

/** Whom to ask about the documents. */
export const CONTACT = { name: 'Formwire', url: project.bugs.url }

/** Relative first, because every deployment serves its document next to its API; absolute for programs that resolve no relative one. */
export const servers = (path: string, description: string) => [
  { url: path, description },
  { url: `http://127.0.0.1:8787${path}`, description: 'A reference server on its default port.' },
]

/** `bad_request` → `BadRequest` */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|_)(.)/g, (_match, letter: string) => letter.toUpperCase())

interface Parameter {
  schema?: { description?: string; example?: unknown }
}

/** Moves descriptions and examples from the schemas of parameters to the parameters, where most programs look for them. */
export function liftParameterTexts(...groups: (object | undefined)[]): void {
  const operations = groups.flatMap((group) => Object.values(group ?? {}).flatMap(Object.values))
  for (const parameter of operations.flatMap((one: { parameters?: Parameter[] }) => one.parameters ?? [])) {
    const { description, example, ...schema } = parameter.schema ?? {}
    Object.assign(parameter, { description, example, schema })
  }
}
