import { Icon, type IconName } from './icon.tsx'

/** A choice of a switch. */
interface SwitchOption<Value> {
  readonly value: Value
  readonly text: string
  /** Accessible name, if the text is short. */
  readonly label?: string
  /** Shown instead of the text, which is then the name. */
  readonly icon?: IconName
  readonly isOff?: boolean
}

/** A row of buttons of which one is pressed. */
export function Switch<Value extends string>({
  legend,
  value,
  options,
  choose,
}: {
  legend: string
  value: Value
  options: readonly SwitchOption<Value>[]
  choose: (value: Value) => void
}) {
  return (
    <fieldset class="box switch">
      <legend class="off-screen">{legend}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          aria-label={option.icon ? option.text : option.label}
          title={option.icon && option.text}
          disabled={option.isOff}
          onClick={() => choose(option.value)}
        >
          {option.icon ? <Icon name={option.icon} /> : option.text}
        </button>
      ))}
    </fieldset>
  )
}
