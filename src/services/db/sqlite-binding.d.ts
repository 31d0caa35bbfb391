/** The package ships declarations that its own `exports` hide; `binding.ts` says which members are used. */
declare module 'better-sqlite3-multiple-ciphers' {
  const Binding: unknown;
  // biome-ignore lint/style/noDefaultExport: describes a package that has one
  export default Binding;
}
