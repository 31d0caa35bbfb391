/** Help of a command. */
export interface CommandHelp {
  /** Without a full stop, because lists show it. */
  readonly summary: string;
  /** By name, for example `--limit`. Options of many commands are in `general.commonOptions`. */
  readonly options?: Readonly<Record<string, string>>;
  /** Descriptions of the examples of the command. */
  readonly examples: readonly [string, string, string];
}

/** Help of commands by their words, for example `task add`. */
export type HelpPart = Readonly<Record<string, CommandHelp>>;

/** The same texts in another language. */
export type Translated<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string ? string : Translated<Texts[Key]>;
};
