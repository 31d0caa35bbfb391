/** Generated at build time by scripts/lib/licences.ts from the bundled packages. */
declare module 'virtual:licences' {
  export interface Licence {
    readonly name: string;
    readonly version: string;
    readonly licence: string;
    /** Empty if the package ships no licence text. */
    readonly text: string;
  }
  export const licences: readonly Licence[];
}
