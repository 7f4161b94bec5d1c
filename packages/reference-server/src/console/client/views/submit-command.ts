import { useEffect, useMemo } from 'preact/hooks'
import { publishedQuestions, serverUrl } from '../api.ts'
import { sampleAnswers } from '../sample-answers.ts'
import { shellQuote } from '../signature-command.ts'
import { resource } from '../state/resource.ts'
import type { AppForm } from '../types.ts'
import { escapeUnseen } from '../unseen.ts'

/**
 * The line that submits a response which the form takes; `undefined` until its questions are known, for a form that
 * takes none, and when a file has to be uploaded first.
 */
export function useSubmitCommand(form: Pick<AppForm, 'slug' | 'updated_at'> | undefined): string | undefined {
  const slug = form?.slug
  // Publishing it again moves `updated_at`: another version has other questions.
  const version = form?.updated_at
  const questions = useMemo(
    () => (slug === undefined ? undefined : resource(() => publishedQuestions(slug))),
    [slug, version],
  )
  useEffect(() => void questions?.refresh(), [questions])
  const known = questions?.data.value
  const answers = known && sampleAnswers(known)
  if (slug === undefined || answers === undefined) return undefined
  const body = shellQuote(escapeUnseen(JSON.stringify({ answers })))
  return `curl ${serverUrl()}/f/${slug} -H 'Content-Type: application/json' -d ${body}`
}
