import { serve } from '../../../../test/support/serve.ts'

/** Starts a service that responds to every request with these data, until the test ends. Returns the environment of the CLI. */
export async function hostileService(data: unknown): Promise<Record<string, string>> {
  const url = await serve((_request, response) => void response.end(JSON.stringify({ data })))
  return { FORMWIRE_BASE_URL: url, FORMWIRE_API_KEY: 'svc_test' }
}
