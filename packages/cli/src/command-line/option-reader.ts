import { Option, Command as Parser } from 'commander'
import { flagsOf, type OptionSpec } from '../command.ts'
import { EXIT } from '../exit.ts'
import { bothGiven, Failure } from '../failure.ts'
import { choiceOf } from '../input/parse.ts'

declare module 'commander' {
  interface Option {
    /** Whether a word is this option. */
    is(word: string): boolean
  }
}

export class MissingValue extends Failure {
  readonly option: OptionSpec

  constructor(option: OptionSpec, path: readonly string[]) {
    super(`option '${flagsOf(option)}' requires a value`, {
      exitCode: EXIT.usage,
      code: 'usage',
      hint: seeHelp(path),
    })
    this.option = option
  }
}

/** Returns the hint that names the help of a command. */
export const seeHelp = (path: readonly string[]): string =>
  `Run "${['formwire', ...path, '--help'].join(' ')}" for usage.`

/** Reads the options of a part of a command line, with `parseOptions`. An option that is not given is undefined. */
export class OptionReader extends Parser {
  readonly #specs: readonly OptionSpec[]
  readonly #path: readonly string[]

  /** @param path of the command that has the options @param parses whether their values are parsed */
  constructor(specs: readonly OptionSpec[], path: readonly string[] = [], parses = true) {
    super()
    this.#specs = specs
    this.#path = path
    for (const spec of specs) {
      const option = spec.isOptional
        ? new AttachedOption(`--${spec.name} [value]`)
        : new Option(flagsOf(spec))
      this.addOption(parses ? option.argParser(parserOf(spec)) : option)
      if (!option.negate) continue
      const member = option.attributeName()
      this.setOptionValue(member, undefined)
      const given = new Set<string>()
      for (const name of [member, spec.name])
        this.on(`option:${name}`, () => {
          if (given.add(name).size === 2) throw bothGiven(member)
        })
    }
  }

  /** commander calls it, @throws MissingValue */
  optionMissingArgument(option: Option): never {
    throw new MissingValue(this.#specs.find(({ name }) => name === option.name()) as OptionSpec, this.#path)
  }
}

/** An option whose value follows `=`, if there is one: the next word is something else. */
class AttachedOption extends Option {
  #hasValue = false

  // commander asks for the whole word, then for what is before its `=`.
  override is(word: string): boolean {
    this.optional = this.#hasValue
    this.#hasValue = word.startsWith(`${this.long}=`)
    return super.is(word)
  }
}

/** Returns the parser of a value, as commander calls it: without a text where there is none. */
function parserOf({ name, parse, choices, many }: OptionSpec) {
  const option = `--${name}`
  const one = (text: string): unknown =>
    parse ? parse(text, option) : choices ? choiceOf(text, option, choices) : text
  return (text: string | undefined, previous: unknown): unknown => {
    if (text === undefined || !many) return text === undefined ? previous : one(text)
    return [...((previous as unknown[] | undefined) ?? []), ...[one(text)].flat()]
  }
}
