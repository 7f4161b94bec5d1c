import { useEffect, useState } from 'preact/hooks'
import { announce } from './announcer.tsx'
import { Button, Icon } from './controls.tsx'

const SHOWN_MS = 1_600

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
    // Missing on plain HTTP outside loopback, or not allowed.
    done = false
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
