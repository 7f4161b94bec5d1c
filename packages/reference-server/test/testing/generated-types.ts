import openapiTS, { astToString } from 'openapi-typescript'

/** Returns what `openapi-typescript` writes for openapi.json. */
export const generatedTypes = async (): Promise<string> =>
  astToString(await openapiTS(new URL('../../../contract/openapi.json', import.meta.url)))
