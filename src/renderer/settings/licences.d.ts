/** Made at build time by scripts/lib/licences.ts out of the packages that the build contains. */
declare module 'virtual:licences' {
  export interface Licence {
    readonly name: string;
    readonly version: string;
    readonly licence: string;
    /** Empty where the package brings none. */
    readonly text: string;
  }
  export const licences: readonly Licence[];
}
