type Conformance = typeof import('@formwire/reference-server/conformance')

/** The report of a run. Its type alone is imported: only a run loads the reference server. */
export type ConformanceReport = Awaited<ReturnType<Conformance['runConformance']>>

/** The result of one case. */
export type CaseResult = ConformanceReport['results'][number]

/** How a case ended. */
export type CaseOutcome = CaseResult['outcome']
