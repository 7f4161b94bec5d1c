/** Reads what a tutorial has its reader do. */
import { blocksOf } from '../docs/markdown.ts'

/** What a page has its reader do. */
export type Step =
  | { kind: 'file'; name: string; code: string }
  /** `prints` is the text that follows the commands; `…` in it stands for any text, as a line for any lines. */
  | { kind: 'commands'; code: string; prints: string | null }

export type Commands = Extract<Step, { kind: 'commands' }>

/** Reads the steps of a page. @throws Error for code that no step uses */
export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = []
  for (const { whole, language, code, name } of blocksOf(markdown)) {
    const last = steps.at(-1)
    if (name !== undefined) steps.push({ kind: 'file', name, code })
    else if (language === 'sh') steps.push({ kind: 'commands', code, prints: null })
    else if (language === 'text' && last?.kind === 'commands' && last.prints === null) last.prints = code
    else throw new Error(`this code belongs to no step:\n${whole}`)
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

/** Returns the commands to run: those that run a file of a tab are repeated for the files of the other tabs. */
export function runsOf(steps: readonly Step[]): Commands[] {
  const names = steps.flatMap((step) => (step.kind === 'file' ? [step.name] : []))
  const stem = (name: string): string => name.slice(0, name.lastIndexOf('.'))
  return steps.flatMap((step) => {
    if (step.kind === 'file') return []
    const others = names.flatMap((name) =>
      names
        .filter((other) => other !== name && stem(other) === stem(name) && step.code.includes(`node ${name}`))
        .map((other) => ({ ...step, code: step.code.replaceAll(`node ${name}`, `node ${other}`) })),
    )
    return [step, ...others]
  })
}
