/**
 * The part of a `Faker` of `@faker-js/faker` that the factory uses. Declared here because the English data is bundled, so that
 * users need not install the package.
 */
export interface SeedFaker {
  readonly commerce: { productName(): string }
  readonly company: { name(): string }
  readonly datatype: { boolean(probability: number): boolean }
  readonly helpers: {
    arrayElement<Item>(items: readonly Item[]): Item
    arrayElements<Item>(items: readonly Item[], count: { min: number; max: number }): Item[]
    shuffle<Item>(items: readonly Item[]): Item[]
  }
  readonly location: {
    city(): string
    secondaryAddress(): string
    state(): string
    streetAddress(): string
    zipCode(format: string): string
  }
  readonly number: { float(): number; int(range: { min?: number; max: number }): number }
  readonly person: { firstName(): string; lastName(): string }
  readonly string: { alphanumeric(length: number): string; numeric(length: number): string }
  readonly system: { commonFileName(extension: string): string }
}

/** Loads faker with English data. Each generator has its own state, so that seeds do not affect each other. */
export async function createFaker(seed: number): Promise<SeedFaker> {
  const { faker } = await import('@faker-js/faker/locale/en')
  const Isolated = faker.constructor as new (options: { locale: unknown; seed: number }) => SeedFaker
  return new Isolated({ locale: faker.rawDefinitions, seed })
}
