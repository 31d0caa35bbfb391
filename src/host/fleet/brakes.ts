import { z } from 'zod';
import { hostTextSchema } from '../../contract/host-text-schema.ts';
import { dmSlug, mainRoom } from '../../contract/room-id.ts';
import type { Brake as BrakeView } from '../../contract/work.ts';
import {
  type AgentBrake,
  type BrakeDeps,
  type BrakeThread,
  brakeWords,
  createBrake,
} from '../../core/agents/brake.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import { englishText, type HostText } from '../../language/host-message.ts';
import { readStoredRecords } from './stored-records.ts';

const recordSchema = z.array(
  z.object({
    roomId: z.string(),
    rootId: z.string(),
    turns: z.number(),
    why: hostTextSchema,
    at: z.number(),
    /** Ids of unanswered messages, oldest first. */
    heldBack: z.array(z.string()),
    /** Additional turns granted; the thread continues while `heldBack` is empty. */
    allowed: z.number(),
  }),
);
type BrakeRecord = z.infer<typeof recordSchema>[number];

const key = 'brakes';
/** Limits: threads per agent, and messages per thread. */
const mostThreads = 100;
const mostHeldBack = 50;
/** Threads of one room that a pair of agents may fill to the limit before a person must write. */
const pairRounds = 3;
/** Messages read to restore the counts after a start. */
const seedDepth = 200;

export interface AgentBrakesDeps {
  readonly agentId: string;
  readonly store: AccountStore;
  /** Also true for the host's own prompts and for the agent itself. */
  isAgent(slug: string): boolean;
  limit(): number;
  onChanged(brakes: readonly BrakeView[]): void;
}

/** Direct messages with one person count as a single thread, whatever their roots. */
const whole = ({ roomId, rootId }: BrakeThread): BrakeThread =>
  dmSlug(roomId) === null ? { roomId, rootId } : { roomId, rootId: '' };

const brakeDeps = ({ store, isAgent, limit }: AgentBrakesDeps, allowed: BrakeDeps['allowed']): BrakeDeps => ({
  isAgent,
  limit,
  allowed,
  recent: ({ roomId, rootId }) =>
    rootId === ''
      ? store.history({ roomId, limit: seedDepth }).messages
      : store.thread(rootId, seedDepth).filter((message) => message.roomId === roomId),
});

/**
 * The loop brake: threads in which an agent stops answering because agents answered each other too long
 * (T27). Survives a restart.
 */
export class AgentBrakes {
  readonly #deps: AgentBrakesDeps;
  #records: readonly BrakeRecord[];
  /** Created with the first message: most agents of a large fleet get none after a start. */
  #counts: { readonly brake: AgentBrake; readonly pairs: Pairs } | null = null;

  constructor(deps: AgentBrakesDeps) {
    this.#deps = deps;
    this.#records = readStoredRecords(deps.store, key, recordSchema);
  }

  list(): readonly BrakeView[] {
    return shown(this.#deps.agentId, this.#records);
  }

  /** Counts a new message; returns true if this agent must not answer it. */
  observe(message: StoredMessage): boolean {
    const { isAgent, limit } = this.#deps;
    const thread = this.#threadOf(message);
    const { brake, pairs } = this.#counted();
    const run = brake.observe({ ...thread, senderSlug: message.senderSlug });
    const pair = pairs.observe(message);
    const braked = run.braked || pair > limit() * pairRounds + this.#allowed(thread);
    const known = this.#find(thread);
    // A person wrote in the thread: earlier grants expire.
    if (known && known.heldBack.length === 0 && !isAgent(message.senderSlug))
      this.#keep(this.#records.filter((one) => one !== known));
    return braked;
  }

  /**
   * Counts a prompt of the host itself, so that an agent's own runs keep it busy no longer than other agents
   * could. Returns true if the agent must not answer.
   */
  observeOwn(word: StoredMessage): boolean {
    const thread = this.#threadOf(word);
    const turns = ownTurns(this.#counted().brake, word, thread);
    return turns > this.#deps.limit() + this.#allowed(thread) / 2;
  }

  /** Call it before the message is stored; after a crash in between the message arrives again. */
  hold(message: StoredMessage, at: number): void {
    const thread = this.#threadOf(message);
    const known = this.#find(thread);
    const { run } = this.#counted().brake.standing(thread);
    const record = known ?? { ...thread, turns: run, why: '', at, heldBack: [], allowed: 0 };
    this.#put(known, holding(record, message.envelopeId, run, at));
  }

  stoppedBy(message: StoredMessage): boolean {
    return this.#find(this.#threadOf(message))?.heldBack[0] === message.envelopeId;
  }

  stands(thread: BrakeThread): boolean {
    return (this.#find(thread)?.heldBack.length ?? 0) > 0;
  }

  /** Allows another round; returns the held messages, or `null` if the thread was not stopped. */
  goOn(given: BrakeThread): readonly string[] | null {
    const thread = whole(given);
    this.#counted().pairs.reset(thread.roomId);
    const known = this.#find(thread);
    if (!known || known.heldBack.length === 0) return null;
    this.#allowRound(thread);
    return known.heldBack;
  }

  /**
   * Other agents continue in this thread; this agent joins the round instead of stopping it at its first
   * message.
   */
  joinRound(given: BrakeThread): void {
    const thread = whole(given);
    const { brake, pairs } = this.#counted();
    pairs.reset(thread.roomId);
    if (brake.standing(thread).run > 0) this.#allowRound(thread);
  }

  /** Grants a full round from the current count on. */
  #allowRound(thread: BrakeThread): void {
    const known = this.#find(thread);
    const { run } = this.#counted().brake.standing(thread);
    const limit = this.#deps.limit();
    const record = known ?? { ...thread, turns: run, why: '', at: 0 };
    this.#put(known, { ...record, heldBack: [], allowed: Math.max(0, run - limit) + limit });
  }

  #counted() {
    this.#counts ??= {
      brake: createBrake(brakeDeps(this.#deps, (thread) => this.#allowed(thread))),
      pairs: createPairs(this.#deps),
    };
    return this.#counts;
  }

  #threadOf(message: StoredMessage): BrakeThread {
    const rootId = threadRootOf(message, (id) => this.#deps.store.message(id));
    return whole({ roomId: message.roomId, rootId });
  }

  #find(given: BrakeThread): BrakeRecord | undefined {
    const { roomId, rootId } = whole(given);
    return this.#records.find((one) => one.roomId === roomId && one.rootId === rootId);
  }

  #allowed(thread: BrakeThread): number {
    return this.#find(thread)?.allowed ?? 0;
  }

  #put(known: BrakeRecord | undefined, record: BrakeRecord): void {
    this.#keep([...this.#records.filter((one) => one !== known), record]);
  }

  #keep(next: readonly BrakeRecord[]): void {
    this.#records = next.slice(-mostThreads);
    this.#deps.store.setValue(key, JSON.stringify(this.#records));
    this.#deps.onChanged(this.list());
  }
}

/** Each turn counts twice: as the host's prompt and as the agent's message. */
const ownTurns = (brake: AgentBrake, { senderSlug }: StoredMessage, thread: BrakeThread): number =>
  brake.observe({ ...thread, senderSlug }).run / 2;

/** Reason and time come from the first held message. */
function holding(record: BrakeRecord, id: string, turns: number, at: number): BrakeRecord {
  const before = record.heldBack.filter((one) => one !== id);
  const since = before.length === 0 ? { why: brakeWords({ run: turns }), at } : {};
  return { ...record, turns, heldBack: [...before, id].slice(-mostHeldBack), ...since };
}

const shown = (agentId: string, records: readonly BrakeRecord[]): readonly BrakeView[] =>
  records
    .filter(({ heldBack }) => heldBack.length > 0)
    .map(({ roomId, rootId, turns, why, at }) => ({ agentId, roomId, rootId, turns, why, at }));

interface Pairs {
  /**
   * Messages that this agent got from the sender in this room since a person last wrote there; 0 for a
   * person.
   */
  observe(message: Pick<StoredMessage, 'roomId' | 'senderSlug'>): number;
  reset(roomId: string): void;
}

/** Counts across all threads and conversations of a room, so that new ones do not evade the limit. */
function createPairs({ store, isAgent }: Pick<AgentBrakesDeps, 'store' | 'isAgent'>): Pairs {
  const rooms = new Map<string, Map<string, number>>();
  const seed = (roomId: string): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const { senderSlug } of store.history({ roomId, limit: seedDepth }).messages) {
      if (isAgent(senderSlug)) counts.set(senderSlug, (counts.get(senderSlug) ?? 0) + 1);
      else counts.clear();
    }
    return counts;
  };
  return {
    observe({ roomId: anyRoom, senderSlug }) {
      const roomId = mainRoom(anyRoom);
      if (!isAgent(senderSlug)) {
        rooms.set(roomId, new Map());
        return 0;
      }
      const counts = rooms.get(roomId) ?? seed(roomId);
      rooms.set(roomId, counts);
      const count = (counts.get(senderSlug) ?? 0) + 1;
      counts.set(senderSlug, count);
      return count;
    },
    reset: (roomId) => void rooms.set(mainRoom(roomId), new Map()),
  };
}

/** Sent once in the stopped thread. */
export const brakeNotice = (why: HostText): string =>
  `${englishText(why)}\n\nWrite \`continue\` here to let us continue.`;
