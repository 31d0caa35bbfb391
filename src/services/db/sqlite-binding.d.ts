/** The package's own `exports` hide its declarations; `binding.ts` declares the members it uses. */
declare module 'better-sqlite3-multiple-ciphers' {
  const Binding: unknown;
  // biome-ignore lint/style/noDefaultExport: describes a package that has one
  export default Binding;
}
