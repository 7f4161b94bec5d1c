/** Style sheets are bundled by esbuild; to TypeScript they are imports without a value. */
declare module '*.css'
