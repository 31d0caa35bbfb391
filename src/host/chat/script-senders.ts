/** Agents of others whose latest message says that they follow a script; kept in the operator's store. */
import { z } from 'zod';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';

type Kept = Pick<AccountStore, 'getValue' | 'setValue'>;

const key = 'script-senders';
/** The most recent ones. */
const mostKept = 500;

export function readScriptSenders(store: Kept): string[] {
  const kept = store.getValue(key);
  return kept === null ? [] : (jsonAs(z.array(z.string()), kept) ?? []);
}

/** Remembers what new messages say about their senders; writes only if something changed. */
export function learnScriptSenders(store: Kept, messages: readonly StoredMessage[]): void {
  const before = readScriptSenders(store);
  const senders = new Set(before);
  for (const { senderSlug, scripted } of messages) {
    if (scripted === true) senders.add(senderSlug);
    else senders.delete(senderSlug);
  }
  const after = [...senders].slice(-mostKept);
  if (after.length !== before.length || after.some((slug, at) => slug !== before[at]))
    store.setValue(key, JSON.stringify(after));
}
