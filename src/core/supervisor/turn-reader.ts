/** Reads what a turn gives to the model: prompt, messages of its batch, notes of the host, files. */
import { raceAgainst } from '../lib/sleep.ts';
import { despiteStore, StoreError } from '../lib/store-error.ts';
import { textBlock, type UserMessage } from '../models/messages.ts';
import type { Clock, Log } from '../ports.ts';
import type { AccountPort } from '../puffo/account-port.ts';
import type { OpenWork } from '../puffo/account-store.ts';
import { batchMessage } from './turn-blocks.ts';
import type { TurnContext, TurnSources } from './worker-ports.ts';

export interface TurnReaderDeps {
  readonly account: AccountPort;
  readonly sources: TurnSources;
  readonly clock: Clock;
  readonly log: Log;
}

interface ReadMessages {
  readonly message: UserMessage;
  /** Call once the message is in the transcript. */
  given(): void;
}

export interface TurnReader {
  /** If the profile is unreadable, the agent still answers, without its role for one turn. */
  context(roomId: string, signal: AbortSignal): Promise<TurnContext>;
  /** Only the operator's messages do not taint a turn (T9). */
  isTainted(work: readonly OpenWork[]): boolean;
  /** Renders the messages, with the notes of the host for the thread before them. */
  read(
    work: readonly OpenWork[],
    threadKey: string,
    context: TurnContext,
    signal: AbortSignal,
  ): Promise<ReadMessages>;
}

const contextMs = 15_000;

const notGiven = (): void => undefined;

export function createTurnReader({ account, sources, clock, log }: TurnReaderDeps): TurnReader {
  const notesFor = async (threadKey: string) => {
    try {
      return (await sources.notes?.take(threadKey)) ?? null;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      log.warn('notes_not_read', { code: error.code });
      return null;
    }
  };
  return {
    isTainted: (work) => work.some(({ message }) => !sources.isOperator(message.senderSlug)),
    async context(roomId, signal) {
      try {
        const asked = await raceAgainst(sources.context(roomId), clock, contextMs, signal);
        if (asked.type === 'value') return asked.value;
        throw new Error(`no context: ${asked.type}`);
      } catch (error) {
        log.error('turn_context_failed', { error: String(error) });
        return {
          prompt: { primer: '', profile: '', memory: '' },
          persona: { displayName: '', slug: account.slug, role: '' },
          untrustedNotes: '',
          maxInlineChars: 4_000,
          segmentChars: 2_000,
          plainModel: false,
          onArrival: 'steer',
        };
      }
    },
    async read(work, threadKey, context, signal) {
      const { files } = sources;
      const message = await batchMessage({ account, clock, signal, ...(files && { files }) }, work, context);
      const noted = await notesFor(threadKey);
      if (!noted) return { message, given: notGiven };
      const content = [textBlock(`${noted.text}\n\n`), ...message.content];
      return { message: { ...message, content }, given: () => despiteStore(noted.given, undefined) };
    },
  };
}
