import * as z from 'zod'
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiRequestBodyObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi'

export const json = (schema: z.ZodType, example?: unknown) => ({ 'application/json': { schema, example } })

export const atLeastOne = z.int().min(1)
export const idOf = (what: string, example = 1) =>
  atLeastOne.meta({ description: `Id of the ${what}.`, example })

/** An optional parameter of a query: a whole number, or one of these words. */
export const whole = (description: string, example: number, schema = atLeastOne) =>
  schema.optional().meta({ description, example })
export const oneOf = (words: readonly string[], description: string, example: string) =>
  z.enum(words).optional().meta({ description, example })

type Parameters = Readonly<Record<string, z.ZodType>>

/** What an operation takes besides the parameters in its path. */
interface Takes {
  readonly body?: ZodOpenApiRequestBodyObject
  readonly query?: Parameters
  readonly header?: Parameters
  /** Needs no credential. */
  readonly isOpen?: true
}

interface Document {
  /** Summary and description of each operation, with a line break between them. */
  readonly texts: Readonly<Record<string, string>>
  /** The parameters in paths, each with what comes before it. */
  readonly inPaths: Parameters
  /** Returns the errors of an operation. `isOnObject` says whether its path has parameters. */
  readonly errors: (isOnObject: boolean, takes: Takes) => ZodOpenApiResponsesObject
}

type Operation = (path: string) => ZodOpenApiOperationObject

/** Returns what describes an operation of a tag by its own responses and what it takes. */
export const operationsOf =
  ({ texts, inPaths, errors }: Document) =>
  (tag: string) =>
  (operationId: string, responses: ZodOpenApiResponsesObject, takes: Takes = {}): Operation =>
  (path) => {
    const { body, query, header, isOpen } = takes
    // The linter of the documents finds one without.
    const [summary, description] = (texts[operationId] as string).split('\n') as [string, string]
    const names = Array.from(path.matchAll(/\w+\/\{(\w+)\}/g), ([at, name]) => [name, inPaths[at]])
    const requestParams = {
      ...(names.length > 0 && { path: z.object(Object.fromEntries(names)) }),
      ...(query && { query: z.object(query) }),
      ...(header && { header: z.object(header) }),
    }
    return {
      operationId,
      tags: [tag],
      summary,
      description,
      ...(Object.keys(requestParams).length > 0 && { requestParams }),
      ...(body && { requestBody: body }),
      responses: { ...responses, ...errors(names.length > 0, takes) },
      ...(isOpen && { security: [] }),
    }
  }

/** Returns the paths of routes such as `GET /forms/{id}`. */
export function pathsOf(routes: Readonly<Record<string, Operation>>): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const [route, describe] of Object.entries(routes)) {
    const [method = '', path = ''] = route.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(path) }
  }
  return paths
}
