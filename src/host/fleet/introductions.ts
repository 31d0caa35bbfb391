import { z } from 'zod';
import type { ChannelId } from '../../contract/room-id.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { introductionPrompt } from '../../core/agents/introduction.ts';
import { sleep } from '../../core/lib/sleep.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import { channelIdSchema, spaceIdSchema } from '../../core/puffo/wire.ts';
import type { Joined } from '../../services/puffo/account-types.ts';

export interface IntroductionDeps {
  readonly store: Pick<AccountStore, 'known' | 'getValue' | 'setValue'>;
  readonly clock: Clock;
  readonly log: Log;
  config(): AgentConfig;
  /** The first public channel of a space, or `null` if none is visible or the server cannot be asked. */
  publicChannel(spaceId: string): Promise<ChannelId | null>;
  /** Stores the prompt to introduce itself, which needs a turn. */
  prompt(channel: Parameters<typeof introductionPrompt>[2]): void;
}

/** Asks an agent that joined a channel to introduce itself, once per channel. */
export interface Introductions {
  joined(joined: Joined): void;
  resume(): void;
  stop(): void;
}

/** ms before each attempt: right after joining, a server may not list the channels yet (spec §6.6). */
const waits = [500, 1_000, 3_000, 6_000, 12_000, 24_000, 24_000];
const dueKey = 'introductions_due';
const mostDue = 50;

const dueSchema = z
  .array(z.object({ spaceId: spaceIdSchema, channelId: channelIdSchema.nullable() }))
  .catch([]);

/** True if introductions were due in this store at any time. */
export const hasDueIntroductions = (store: Pick<AccountStore, 'getValue'>): boolean =>
  store.getValue(dueKey) !== null;

const same = (a: Joined, b: Joined): boolean => a.spaceId === b.spaceId && a.channelId === b.channelId;

export function createIntroductions(deps: IntroductionDeps): Introductions {
  const { store, clock, log } = deps;
  const ended = new AbortController();

  const due = (): readonly Joined[] => {
    const text = store.getValue(dueKey);
    return text === null ? [] : dueSchema.parse(JSON.parse(text));
  };
  const keep = (list: readonly Joined[]): void =>
    store.setValue(dueKey, JSON.stringify(list.slice(-mostDue)));

  /** No introduction in the agent's home space, and none in channels where its triggers are off. */
  const wanted = ({ spaceId, channelId }: Joined): boolean => {
    const { introduce, puffo_core: core, triggers } = deps.config();
    if (!introduce || (channelId === null && spaceId === core.space_id)) return false;
    return channelId === null || triggers.channels[channelId] !== 'never';
  };
  const channelFor = async ({ spaceId, channelId }: Joined): Promise<ChannelId | null> => {
    if (channelId !== null) return channelId;
    for (const wait of waits) {
      await sleep(clock, wait, ended.signal);
      if (ended.signal.aborted) return null;
      const found = await deps.publicChannel(spaceId);
      if (found !== null) return found;
    }
    log.info('introduction_without_place', { spaceId });
    return null;
  };
  const introduce = async (joined: Joined): Promise<void> => {
    const channelId = await channelFor(joined);
    if (ended.signal.aborted) return;
    if (channelId !== null && wanted({ ...joined, channelId })) {
      const at = clock.now();
      deps.prompt({ spaceId: joined.spaceId, channelId, at });
    }
    keep(due().filter((one) => !same(one, joined)));
  };
  const begin = (joined: Joined): void => {
    introduce(joined).catch((error: unknown) => {
      log.warn('introduction_failed', { code: error instanceof StoreError ? error.code : String(error) });
    });
  };

  return {
    joined(joined) {
      if (ended.signal.aborted || !wanted(joined)) return;
      keep([...due().filter((one) => !same(one, joined)), joined]);
      begin(joined);
    },
    resume() {
      for (const joined of due()) begin(joined);
    },
    stop: () => ended.abort(),
  };
}
