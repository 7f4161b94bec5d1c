export { createFileSecrets } from './file.ts'
export { createPostgresSecrets, type PostgresSecretsOptions, type PostgresSecretsPool } from './postgres.ts'
export type { SecretStore, StoredSecret } from './secret-store.ts'
