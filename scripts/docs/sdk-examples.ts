/** How a program in TypeScript makes the requests of the HTTP API, by operation: the code after `new Formwire()`. */
export const SDK_EXAMPLES: Readonly<Record<string, string>> = {
  getMe: `const { user, workspace, key } = await formwire.me()
console.log(user.name, workspace.name, key.scope)`,
  listForms: `const { data: forms } = await formwire.forms.list({ status: 'published' })
for (const form of forms) console.log(form.id, form.title)`,
  getForm: `const form = await formwire.forms.get('guestvoice01')
console.log(form.title, form.response_count)`,
  updateForm: `const form = await formwire.forms.update('guestvoice01', { status: 'closed' })
console.log(form.status)`,
  listResponses: `const { data: responses } = await formwire.responses.list('guestvoice01')
for (const response of responses) console.log(response.id, response.answers.length)`,
  getResponse: `const response = await formwire.responses.get('guestvoice01', 260)
for (const answer of response.answers) console.log(answer.title, answer.text)`,
  deleteResponse: `const { deleted } = await formwire.responses.delete('guestvoice01', 260)
console.log(deleted)`,
  listWebhooks: `const { data: endpoints } = await formwire.webhooks.list('guestvoice01')
for (const endpoint of endpoints) console.log(endpoint.id, endpoint.url)`,
  createWebhook: `const endpoint = await formwire.webhooks.create('guestvoice01', {
  url: 'https://hooks.example.com/formwire',
})
console.log(endpoint.secret) // not shown again`,
  deleteWebhook: `const { deleted } = await formwire.webhooks.delete('guestvoice01', 2)
console.log(deleted)`,
}
