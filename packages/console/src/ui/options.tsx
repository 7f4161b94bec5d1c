/** An option of a list: its value, its text, and what else is known of it. */
export type Option = readonly [value: string | number, text: string, ...others: unknown[]]

/** The options of a select. */
export const Options = ({ of }: { of: readonly Option[] }) => (
  <>
    {of.map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </>
)

/** Returns the items of a list that have a name or a title as options, cut to fit. */
export const optionsOf = <Id extends string | number>(
  list: readonly ({ readonly id: Id } & ({ readonly name: string } | { readonly title: string }))[],
): readonly (readonly [Id, string])[] =>
  list.map((one) => [one.id, ('name' in one ? one.name : one.title).slice(0, 80)] as const)
