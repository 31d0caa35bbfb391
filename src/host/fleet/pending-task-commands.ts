import { z } from 'zod';
import { jsonAs } from '../../core/lib/json-as.ts';
import { despiteStore, StoreError } from '../../core/lib/store-error.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';

// Task commands of the operator in messages to an agent. A pending command is recorded in the agent's store
// before its message is stored, so a crash loses none; repeating one changes nothing.

type Kept = Pick<AccountStore, 'getValue' | 'setValue' | 'message'>;

/** Stored as the message's reason. */
export const taskReason = 'task';
const key = 'task-words';

const idsIn = (store: Kept): readonly string[] => {
  const kept = store.getValue(key);
  return kept === null ? [] : (jsonAs(z.array(z.string()), kept) ?? []);
};

export function keepTaskCommand(store: Kept, id: string): void {
  const ids = idsIn(store);
  if (!ids.includes(id)) store.setValue(key, JSON.stringify([...ids, id]));
}

/** Pending commands; one that was never stored arrives again. */
export const pendingTaskCommands = (store: Kept): readonly StoredMessage[] =>
  idsIn(store).flatMap((id) => store.message(id) ?? []);

export async function heedTask(
  { heedTask: heed }: { heedTask(agentId: string, message: StoredMessage): Promise<boolean> },
  agentId: string,
  store: Kept,
  message: StoredMessage,
): Promise<void> {
  try {
    if (!(await heed(agentId, message))) return;
  } catch (error) {
    // It stays pending for the next start; the store reports its fault.
    if (error instanceof StoreError) return;
    throw error;
  }
  despiteStore(() => {
    const left = idsIn(store).filter((id) => id !== message.envelopeId);
    store.setValue(key, JSON.stringify(left));
  }, undefined);
}
