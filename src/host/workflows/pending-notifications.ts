import { z } from 'zod';
import type { BrakeThread } from '../../core/agents/brake.ts';
import { type RunEnd, runEndedPrompt } from '../../core/agents/run-ended.ts';
import { readConversation, roomIdOf } from '../../core/agents/thread-key.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import type { AcceptRow, AccountStore } from '../../core/puffo/account-store.ts';
import type { RunRow } from '../../core/workflows/engine/engine-ports.ts';
import { isFinished } from '../../core/workflows/engine/run-state.ts';

// Pending notifications of an agent about the end of runs that it started in a conversation, for runs that
// wait for people longer than the turn. Stored with the agent's messages and delivered exactly once.

/** A running agent, as far as it is notified; `store` and `capabilities` are `null` while it is offline. */
export interface NotifiedAgent {
  readonly slug: string;
  readonly store: Pick<AccountStore, 'getValue' | 'setValue' | 'message'> | null;
  readonly capabilities: {
    /** Continues a thread that the loop brake stopped; returns false if it is not stopped. */
    goOn(thread: BrakeThread): boolean;
    joinRound(thread: BrakeThread): void;
    /** Accepts a prompt of the host once per id. Throws `StoreError`. */
    hear(prompt: AcceptRow): void;
  } | null;
}

type NotifiedStore = NonNullable<NotifiedAgent['store']>;

export interface PendingNotificationsDeps {
  readonly crypto: Pick<CryptoEngine, 'sha256'>;
  now(): number;
  post(agentId: string): NotifiedAgent | null;
  run(id: string): Pick<RunRow, 'status'> | null;
  answered(run: string): boolean;
}

export interface PendingNotifications {
  /** Records that the agent was told its run waits. */
  owe(agentId: string, run: string, threadKey: string): void;
  seen(agentId: string, run: string): void;
  /** Notifies the agent if the run has ended and a notification is pending. */
  changed(run: string): void;
  /** Delivers notifications about runs that ended while the agent was offline. */
  online(agentId: string): void;
}

const owedKey = 'runs_owed';
const mostOwed = 100;
const owedSchema = z.array(z.object({ run: z.string(), threadKey: z.string() }));
type Owed = z.infer<typeof owedSchema>[number];

const listOf = (store: Pick<NotifiedStore, 'getValue'>): readonly Owed[] =>
  jsonAs(owedSchema, store.getValue(owedKey) ?? '[]') ?? [];

/** The conversation for the notification, or `null` for tasks and outside programs. */
function placeOf(
  store: Pick<NotifiedStore, 'message'>,
  threadKey: string,
): Pick<RunEnd, 'channel' | 'roomId'> | null {
  const place = readConversation(threadKey);
  if (place?.kind === 'dm') return { roomId: roomIdOf(place), channel: null };
  if (!place?.rootId) return null;
  const { channelId, rootId } = place;
  const spaceId = store.message(rootId)?.spaceId ?? null;
  return { roomId: channelId, channel: { channelId, rootId, spaceId } };
}

/** A person who answered a gate counts for the loop brake like one who wrote (T27). */
function letGoOn(
  capabilities: NonNullable<NotifiedAgent['capabilities']>,
  { roomId, channel }: RunEnd,
): void {
  const thread = { roomId, rootId: channel?.rootId ?? '' };
  if (!capabilities.goOn(thread)) capabilities.joinRound(thread);
}

export function createPendingNotifications(deps: PendingNotificationsDeps): PendingNotifications {
  /** Agent by run, for agents online since the start. */
  const owing = new Map<string, string>();
  const drop = (store: NotifiedStore, run: string): void => {
    owing.delete(run);
    store.setValue(owedKey, JSON.stringify(listOf(store).filter((one) => one.run !== run)));
  };
  const tell = (agentId: string, only: string | null): void => {
    const post = deps.post(agentId);
    if (!post?.store || !post.capabilities) return;
    for (const { run, threadKey } of listOf(post.store)) {
      owing.set(run, agentId);
      const status = only === null || only === run ? deps.run(run)?.status : undefined;
      const place = placeOf(post.store, threadKey);
      if (!place || !status || !isFinished(status)) continue;
      const end = { run, status, at: deps.now(), ...place };
      const prompt: AcceptRow = runEndedPrompt(deps.crypto, post.slug, end);
      if (deps.answered(run)) letGoOn(post.capabilities, end);
      post.capabilities.hear(prompt);
      drop(post.store, run);
    }
  };
  const safely = (work: () => void): void => despiteStore(work, undefined);
  return {
    owe: (agentId, run, threadKey) =>
      safely(() => {
        const store = deps.post(agentId)?.store;
        if (!store || !placeOf(store, threadKey)) return;
        const others = listOf(store).filter((one) => one.run !== run);
        store.setValue(owedKey, JSON.stringify([...others, { run, threadKey }].slice(-mostOwed)));
        // The run may have ended in the meantime.
        tell(agentId, run);
      }),
    seen: (agentId, run) =>
      safely(() => {
        const store = deps.post(agentId)?.store;
        if (store && listOf(store).some((one) => one.run === run)) drop(store, run);
      }),
    changed(run) {
      const agentId = owing.get(run);
      if (agentId !== undefined) safely(() => tell(agentId, run));
    },
    online: (agentId) => safely(() => tell(agentId, null)),
  };
}
