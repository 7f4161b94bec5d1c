/**
 * What is loaded when it is first needed, as one script: if each part were a script of its own, what they share with the first
 * load would be split into many small ones, which compress badly.
 */

export { EndpointView } from './endpoint.tsx'
export { EndpointsView } from './endpoints.tsx'
export { FirstRun } from './first-run.tsx'
export { FormView } from './form.tsx'
export { FormsView } from './forms.tsx'
export { openPalette } from './palette.tsx'
export { RequestsView } from './requests.tsx'
export { ServerView } from './server.tsx'
