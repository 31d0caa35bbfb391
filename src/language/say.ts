/** Makes a typed message of the host: `say('tasks.unknownTask', { id })`. */
import { hostEnglish } from './english/host.ts';
import { type HostMessage, type HostValues, type KeyIn, makeMessage, type ValuesIn } from './host-message.ts';

type HostEnglish = typeof hostEnglish;

export type HostKey = KeyIn<HostEnglish>;

/** The values that the template of a key needs. */
export type ValuesFor<Key> = ValuesIn<HostEnglish, Key>;

export const say = <Key extends HostKey>(
  key: Key,
  ...[given]: keyof ValuesFor<Key> extends never ? [values?: HostValues] : [values: ValuesFor<Key>]
): HostMessage => makeMessage(hostEnglish, key, given);
