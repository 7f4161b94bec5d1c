/** @jsxImportSource preact */
import { useEffect, useRef } from 'preact/hooks'
import { refused, signIn } from '../state/session.ts'
import { dismissDialog } from '../ui/dialog.tsx'

/** Asks for the admin token: at the first visit without one, and when the server refused it. */
export function TokenPrompt() {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    document.title = 'Admin token · Formwire console'
    // A modal dialog would stand before this prompt and keep it from the keyboard.
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
        <h1>Formwire console</h1>
        {refused.value ? (
          <p class="note" role="alert">
            The server refused this admin token. A server that was started again may have a new one.
          </p>
        ) : (
          <p>
            The server prints an address with its admin token when it starts. Open that address, or paste the
            token here. It is kept for this tab only.
          </p>
        )}
        <label>
          Admin token
          <input ref={input} type="password" autocomplete="off" spellcheck={false} required />
        </label>
        <button type="submit" class="button primary">
          Open the console
        </button>
      </form>
    </main>
  )
}
