/** Port of an agent runtime: runs one turn as a stream of events that ends with its outcome. */

import type { AppError } from '../../contract/errors.ts';
import type { ToolStep } from '../../contract/work.ts';
import type { HostText } from '../../language/host-message.ts';
import type { TurnTrace } from '../agents/turn-records.ts';
import type { TranscriptMessage, UserMessage } from '../models/messages.ts';

/** A turn whose messages are already at the end of the transcript; the runtime continues from there. */
export interface TurnInput {
  readonly turnId: string;
  readonly agentId: string;
  /** Key of the transcript that the turn continues; see thread-key.ts. */
  readonly threadKey: string;
  /** First transcript entry of the turn; all later entries belong to it, also after a crash. */
  readonly firstSeq: number;
  readonly system: string;
  /**
   * Precedes the conversation in each request, and is stored in no transcript (T9); empty or absent for none.
   */
  readonly untrustedNotes?: string;
  /** The audience of the answer; `null` if only the operator reads it. */
  readonly answersIn: AnswerPlace | null;
  readonly arrivals: TurnArrivals;
  readonly place: TurnSlot;
  /** Contains untrusted content from the start (T9). */
  readonly tainted: boolean;
  /** Text that the agent keeps verbatim, even after earlier messages are summarised. */
  readonly keptWords?: () => string;
}

export interface AnswerPlace {
  readonly roomId: string;
  /**
   * `reply`: the final text is sent there automatically. `report`: another component reports the result
   * there.
   */
  readonly by: 'reply' | 'report';
}

/** Messages of the thread that arrive during the turn. */
export interface TurnArrivals {
  /**
   * `null` if none. Returned messages belong to this turn, in the transcript and on disk. Throws
   * `StoreError`.
   */
  take(): Promise<{ readonly message: UserMessage; readonly tainted: boolean } | null>;
}

/** Turn slot: an agent runs one turn at a time, the one that holds its slot. A turn starts with the slot. */
export interface TurnSlot {
  /**
   * Lends the slot while a person is asked, so that a turn of another thread may run. Settles like `work`
   * once this turn holds the slot again, or at once when the turn is aborted. Call only while nothing else of
   * the turn runs.
   */
  lend<T>(work: Promise<T>): Promise<T>;
}

/** The last event is always `turn_done` or `turn_failed`; a store failure is thrown as its `StoreError`. */
export type RuntimeEvent =
  | { readonly type: 'text_delta'; readonly text: string }
  /** The text streamed so far is not the answer. */
  | { readonly type: 'text_void' }
  /** Started or changed; identified by `callId`. */
  | { readonly type: 'step'; readonly step: ToolStep }
  /** A model request has ended, even with an error. */
  | { readonly type: 'model_called'; readonly call: Extract<TurnTrace, { kind: 'model' }> }
  | { readonly type: 'retrying'; readonly attempt: number; readonly inMs: number; readonly error: AppError }
  | {
      readonly type: 'turn_done';
      readonly parts: readonly string[];
      readonly messageSent: boolean;
      /** Last message that a tool sent into the turn's thread. */
      readonly sentAs?: string;
      /** Why the final text is not sent, as a sentence: the operator did not agree. */
      readonly withheld?: HostText;
      /** The answer itself, to store together with the reply. */
      readonly transcript: readonly TranscriptMessage[];
    }
  | {
      readonly type: 'turn_failed';
      readonly error: AppError;
      readonly partialText: string;
      readonly transcript: readonly TranscriptMessage[];
    };

/** Abort reason of a turn: `interrupted` keeps its state, so it resumes at the next start. */
export type TurnAbort = 'interrupted' | 'stopped';

export interface RuntimePort {
  run(turn: TurnInput, signal: AbortSignal): AsyncIterable<RuntimeEvent>;
  /** Ends its programs; absent if it starts none. A later turn starts them again. */
  close?(): Promise<void>;
}
