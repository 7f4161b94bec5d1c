import { isObject, isObjectOrArray, parseObject } from '@formwire/internal/json'

type Members = Record<string, unknown>

/** One operation of an OpenAPI document. */
export interface OperationPart {
  /** Its `operationId`. */
  id: string
  /** Method and path, and the summary. */
  title: string
  /** An OpenAPI document of this operation alone, with the components that it refers to, as compact JSON. */
  text: string
}

/** Returns the operations of an OpenAPI document, webhooks included, in its order. */
export function operationsOf(json: string): OperationPart[] {
  const { paths, webhooks, components, ...head } = parseObject(json) ?? {}
  const { openapi, info, servers, security } = head
  return Object.entries({ paths, webhooks }).flatMap(([group, items]) =>
    Object.entries(Object(items) as Members).flatMap(([path, item]) => {
      const { parameters, ...methods } = item as Members
      return Object.entries(methods).map(([method, operation]) => {
        const { operationId, summary } = operation as { operationId: string; summary: string }
        const part = { [path]: { parameters, [method]: operation } }
        const used = componentsOf(part, Object(components))
        return {
          id: operationId,
          title: `${method.toUpperCase()} ${path}: ${summary}`,
          text: JSON.stringify({ openapi, info, servers, security, [group]: part, components: used }),
        }
      })
    }),
  )
}

/** Returns the components that a part of the document refers to, and those that these refer to. */
function componentsOf(part: unknown, components: Record<string, Members>): Members {
  const { securitySchemes = {}, ...all } = components
  // Named by `security`, without a reference.
  const used: Record<string, Members> = { securitySchemes }
  visit(part)
  return used

  function visit(value: unknown): void {
    if (!isObjectOrArray(value)) return
    if (isObject(value) && typeof value.$ref === 'string') use(value.$ref)
    for (const member of Object.values(value)) visit(member)
  }

  function use(reference: string): void {
    const [, , kind = '', name = ''] = reference.split('/')
    const group = used[kind] ?? {}
    used[kind] = group
    if (name in group) return
    group[name] = all[kind]?.[name]
    visit(group[name])
  }
}
