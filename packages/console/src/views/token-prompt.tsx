import { useLayoutEffect, useRef } from 'preact/hooks'
import { refused, signIn } from '../session.ts'
import { Logo } from '../ui/controls.tsx'
import { dismissDialog } from '../ui/dialog.tsx'

const REFUSALS = {
  token: 'The server rejected this admin token. Unless you set a fixed token, it changes at each restart.',
  link: 'This link has been used or has expired: it signs in one tab, within 10 minutes. Paste the admin token.',
}

/** Asks for the admin token, if there is none or the server rejected it. */
export function TokenPrompt() {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    document.title = 'Admin token · Formwire console'
    // A modal dialog would cover the prompt and block the keyboard.
    dismissDialog()
    input.current?.focus()
  }, [])
  return (
    <main class="prompt">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const value = input.current?.value.trim()
          if (value) signIn(value)
        }}
      >
        <h1 class="item brand">
          <Logo /> Formwire console
        </h1>
        {refused.value === null ? (
          <p>
            The server prints a URL that signs in once, and its admin token, when it starts. Open that URL, or
            paste the token here. It is kept until you close this tab.
          </p>
        ) : (
          <p class="note" role="alert">
            {REFUSALS[refused.value]}
          </p>
        )}
        <label class="field">
          Admin token
          <input ref={input} type="password" autocomplete="off" spellcheck={false} required />
        </label>
        <button type="submit" class="button primary">
          Sign in
        </button>
      </form>
    </main>
  )
}
