import { z } from 'zod';
import { jsonAs } from '../../core/lib/json-as.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { AccountStore, StoredMessage } from '../../core/ports.ts';

// What the operator says to the host about tasks, by messages to an agent. Which of them are not carried out yet is in
// the agent's store before the message is, so that none is lost in a crash; carrying one out twice changes nothing.

type Kept = Pick<AccountStore, 'getValue' | 'setValue' | 'message'>;

/** Stored as the message's reason. */
export const taskReason = 'task';
const key = 'task-words';

const idsIn = (store: Kept): readonly string[] => {
  const kept = store.getValue(key);
  return kept === null ? [] : (jsonAs(z.array(z.string()), kept) ?? []);
};

export function keepTaskWord(store: Kept, id: string): void {
  const ids = idsIn(store);
  if (!ids.includes(id)) store.setValue(key, JSON.stringify([...ids, id]));
}

/** Those that were said and not carried out; one that was never stored comes again. */
export const taskWords = (store: Kept): readonly StoredMessage[] =>
  idsIn(store).flatMap((id) => store.message(id) ?? []);

export async function heedTask(
  { heedTask: heed }: { heedTask(agentId: string, message: StoredMessage): Promise<boolean> },
  agentId: string,
  store: Kept,
  message: StoredMessage,
): Promise<void> {
  if (!(await heed(agentId, message))) return;
  despiteStore(() => {
    const left = idsIn(store).filter((id) => id !== message.envelopeId);
    store.setValue(key, JSON.stringify(left));
  }, undefined);
}
