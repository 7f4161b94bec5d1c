/**
 * What is loaded when it is first needed, as one script: if each part were a script of its own, what they share with the first
 * load would be split into many small ones, which compress badly.
 */

export { sampleAnswers } from '../sample-answers.ts'
export { createForm, duplicateForm, submitSample } from './builder/form-commands.tsx'
export { FormEditor } from './builder/form-editor.tsx'
export { Comparison } from './delivery/comparison.tsx'
export { EndpointView } from './endpoint.tsx'
export { EndpointsView, EndpointTable } from './endpoints.tsx'
export { KeysView } from './keys.tsx'
export { openPalette } from './palette.tsx'
export { PeopleView } from './people.tsx'
export { RequestsView } from './requests.tsx'
export { ResponsePane } from './response.tsx'
export { ServerView } from './server.tsx'
export { FormSummaryView } from './summary/form-summary.tsx'
export { ResponseTable } from './summary/response-table.tsx'
