import type { BuilderForm } from '@formwire/contract/control'
import { escapeInvisible } from '@formwire/internal/invisible'
import { useEffect, useMemo } from 'preact/hooks'
import { publishedQuestions, serverUrl } from '../api.ts'
import { shellQuote } from '../shell.ts'
import { resource } from '../state/resource.ts'

/**
 * Returns a command that submits a valid response to the form; `undefined` until its questions are loaded, if the form accepts
 * no responses, or if it requires a file upload.
 */
export function useSubmitCommand(
  form: Pick<BuilderForm, 'slug' | 'updated_at'> | undefined,
): string | undefined {
  const slug = form?.slug
  // Publishing the form again changes `updated_at`, and may change the questions.
  const version = form?.updated_at
  const sample = useMemo(
    () =>
      slug === undefined
        ? undefined
        : resource(async () => {
            const { sampleAnswers } = await import('../sample-answers.ts')
            return sampleAnswers(await publishedQuestions(slug))
          }),
    [slug, version],
  )
  useEffect(() => void sample?.refresh(), [sample])
  const answers = sample?.data.value
  if (slug === undefined || answers === undefined) return undefined
  const body = shellQuote(escapeInvisible(JSON.stringify({ answers })))
  return `curl ${serverUrl()}/f/${slug} -H 'Content-Type: application/json' -d ${body}`
}
