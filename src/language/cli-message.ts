/** Makes a typed message of the command line: `cliMessage('cliTasks.unknownTask', { id })`. */
import { cliEnglish } from './english/cli.ts';
import { type HostMessage, type HostValues, type KeyIn, makeMessage, type ValuesIn } from './host-message.ts';

export type CliEnglish = typeof cliEnglish;

/** The texts of the command line in another language: a text per English key. */
export type CliPart<Area extends keyof CliEnglish> = { readonly [Key in keyof CliEnglish[Area]]: string };
export type CliCatalog = { readonly [Area in keyof CliEnglish]: CliPart<Area> };

export type CliKey = KeyIn<CliEnglish>;
export type CliValues<Key> = ValuesIn<CliEnglish, Key>;

/** The values of a key, which are not given if it has none. */
export type GivenValues<Key> = keyof CliValues<Key> extends never
  ? [values?: HostValues]
  : [values: CliValues<Key>];

export const cliMessage = <Key extends CliKey>(key: Key, ...[given]: GivenValues<Key>): HostMessage =>
  makeMessage(cliEnglish, key, given);
