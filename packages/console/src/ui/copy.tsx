// biome-ignore-all lint/a11y/useSemanticElements: a fieldset would announce a form control; these are named boxes of text.

import { useEffect, useState } from 'preact/hooks'
import { announce } from './announcer.tsx'
import { Button, Icon } from './controls.tsx'
import { LeftToRight } from './values.tsx'

const SHOWN_MS = 1_600

/** Copies by selecting the text: the clipboard API is missing on plain HTTP outside loopback. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'off-screen'
  const host = document.querySelector('dialog[open]') ?? document.body
  const focused = document.activeElement
  host.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}

/** Copies a text and announces the outcome. Returns whether it was copied. */
export async function copyAndAnnounce(
  text: string,
  what: string,
  tone: 'done' | 'quiet' = 'done',
): Promise<boolean> {
  let done = true
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    done = copyBySelection(text)
  }
  announce(
    done ? `Copied ${what}` : 'The browser did not allow copying. Select the text and copy it yourself.',
    done ? tone : 'error',
  )
  return done
}

/** A button that copies `text` and then shows "Copied". @param isIcon Shows an icon instead of a word. */
export function Copy({ text, what, isIcon }: { text: string; what: string; isIcon?: boolean }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <Button
      class={`button small ${isIcon ? 'icon-only' : ''}`}
      title={isIcon ? `Copy ${what}` : undefined}
      run={async () => setCopied(await copyAndAnnounce(text, what, 'quiet'))}
      aria-label={`Copy ${what}`}
    >
      {isIcon ? <Icon name={copied ? 'check' : 'copy'} /> : copied ? 'Copied' : 'Copy'}
    </Button>
  )
}

/** A shell command with a copy button. */
export const Command = ({ text, what = 'the command' }: { text: string; what?: string }) => (
  <div class="box bar command">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
    <pre dir="ltr" tabIndex={0} role="group" aria-label={what.replace(/^the /, '')}>
      <code>
        <LeftToRight text={text} />
      </code>
    </pre>
    <Copy text={text} what={what} />
  </div>
)
