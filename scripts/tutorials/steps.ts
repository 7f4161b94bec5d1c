/** Reads what a tutorial has its reader do. */
import { blocksOf } from '../docs/markdown.ts'

/** What a page has its reader do. */
export type Step =
  | { kind: 'file'; name: string; code: string }
  /**
   * `prints` is the text that follows the commands; `…` in it stands for any text, as a line for any lines. The commands run in the first
   * terminal, or keep running in the one that the page names before them, such as `second`.
   */
  | { kind: 'commands'; code: string; prints: string | null; terminal?: string }
  /** What a terminal has printed by now, since its last commands. */
  | { kind: 'shows'; terminal: string; prints: string }

export type Commands = Extract<Step, { kind: 'commands' }>

/** Reads the steps of a page. @throws Error for code that no step uses */
export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = []
  for (const { whole, language, code, name, before } of blocksOf(markdown)) {
    const last = steps.at(-1)
    const terminal = /\b(second|third|fourth) terminal\b/.exec(before)?.[1]
    const other = terminal === undefined ? {} : { terminal }
    if (name !== undefined) steps.push({ kind: 'file', name, code })
    else if (language === 'sh') steps.push({ kind: 'commands', code, prints: null, ...other })
    else if (language !== 'text') throw new Error(`this code belongs to no step:\n${whole}`)
    else if (terminal !== undefined) steps.push({ kind: 'shows', terminal, prints: code })
    else if (last?.kind === 'commands' && last.prints === null) last.prints = code
    else throw new Error(`this text belongs to no commands:\n${whole}`)
  }
  return steps
}

/** Returns a pattern for what a command prints. */
export function patternOf(text: string): RegExp {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) =>
      line === '…'
        ? '(?:.*\\n)*?'
        : `${line
            .split('…')
            .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
            .join('.*')}\\n`,
    )
  return new RegExp(`^${lines.join('')}$`)
}

/** Returns the steps to run: commands that run a file of a tab are repeated for the files of the other tabs. */
export function runsOf(steps: readonly Step[]): Step[] {
  const names = steps.flatMap((step) => (step.kind === 'file' ? [step.name] : []))
  const stem = (name: string): string => name.slice(0, name.lastIndexOf('.'))
  return steps.flatMap((step): Step[] => {
    if (step.kind !== 'commands') return [step]
    const others = names.flatMap((name) =>
      names
        .filter((other) => other !== name && stem(other) === stem(name) && step.code.includes(`node ${name}`))
        .map((other) => ({ ...step, code: step.code.replaceAll(`node ${name}`, `node ${other}`) })),
    )
    return [step, ...others]
  })
}
