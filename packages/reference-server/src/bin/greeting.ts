import type { ReferenceServer } from '../server.ts'

/** Returns the first line of `--json`: one JSON object. */
export function machineLine(server: ReferenceServer, url: string): string {
  return `${JSON.stringify({
    event: 'listening',
    url,
    admin_token: server.adminToken,
    write_key: server.writeKey,
    read_key: server.readKey,
    workspace_id: server.workspaceId,
    user_id: server.userId,
  })}\n`
}

/** Returns the text printed at startup: the URL, the keys, and commands to try. `state` is the file of `--state`. */
export function greeting(server: ReferenceServer, url: string, state?: string): string {
  const form = server.app.forms.list().find(({ status, trashed }) => status === 'published' && !trashed)
  return `Formwire reference server on ${url}

  write key    ${server.writeKey}
  read key     ${server.readKey}
  admin token  ${server.adminToken}
  console      ${url}/_app/console#code=${server.signInCode()}
${form ? `  public form  ${form.url}\n` : ''}${state === undefined ? '' : `  state        ${state}, saved on exit\n`}
Try next:
  formwire login --base-url ${url}   # paste the write key; npm install --global @formwire/cli
  formwire forms list
  curl -H 'Authorization: Bearer ${server.readKey}' ${url}/api/v1/me
  curl -H 'Authorization: Bearer ${server.readKey}' '${url}/api/v1/forms?status=published'
  curl -H 'Authorization: Bearer ${server.adminToken}' ${url}/_app/requests

Press Ctrl-C to stop.
`
}
