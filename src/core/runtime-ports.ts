/** What thinks and acts for an agent, turn by turn: a stream of events that ends with how it went. */
import type { AppError } from '../contract/errors.ts';
import type { ToolStep } from '../contract/work.ts';
import type { TranscriptMessage, UserMessage } from './models/messages.ts';
import type { TurnTrace } from './work-ports.ts';

/** A turn whose messages are in the transcript already, as its last words: what is left to do is to go on from there. */
export interface TurnInput {
  readonly turnId: string;
  readonly agentId: string;
  /** Key of the transcript that the turn continues; see thread-key.ts. */
  readonly threadKey: string;
  /** Where the turn begins in the transcript; what is there from then on is part of it, also after a crash. */
  readonly firstSeq: number;
  readonly system: string;
  /** Stands before the conversation in each request, and in no transcript (T9); empty or absent: nothing. */
  readonly untrustedNotes?: string;
  /** The audience of the answer; `null` if only the operator reads it. */
  readonly answersIn: AnswerPlace | null;
  readonly arrivals: TurnArrivals;
  readonly place: TurnPlace;
  /** Words of others than the operator are in it from the start (T9). */
  readonly tainted: boolean;
  /** What the agent shall have word for word, also when what came before is summed up. */
  readonly keptWords?: () => string;
}

export interface AnswerPlace {
  readonly roomId: string;
  /** `reply`: its last words are sent there by themselves. `report`: something else tells there what came of it. */
  readonly by: 'reply' | 'report';
}

/** Messages of the thread that came while the turn runs. */
export interface TurnArrivals {
  /** Null: none. Taken by this turn from now on, in the transcript and on the disk. Throws `StoreError`. */
  take(): Promise<{ readonly message: UserMessage; readonly tainted: boolean } | null>;
}

/** An agent thinks and acts in one turn at a time: the one that has its place. A turn begins with it. */
export interface TurnPlace {
  /**
   * For as long as a person is asked: a turn of another thread may think meanwhile. Settles as `work` does, once the
   * place is this turn's again, or at once when the turn is aborted. Only while nothing else of the turn goes on.
   */
  lend<T>(work: Promise<T>): Promise<T>;
}

/** The last event is always `turn_done` or `turn_failed`; a store that fails is thrown as its `StoreError`. */
export type RuntimeEvent =
  | { readonly type: 'text_delta'; readonly text: string }
  /** What was streamed until now is not the answer. */
  | { readonly type: 'text_void' }
  /** Begun, or changed; by `callId`. */
  | { readonly type: 'step'; readonly step: ToolStep }
  /** A request to a model has ended, well or not. */
  | { readonly type: 'model_called'; readonly call: Extract<TurnTrace, { kind: 'model' }> }
  | { readonly type: 'retrying'; readonly attempt: number; readonly inMs: number; readonly error: AppError }
  | {
      readonly type: 'turn_done';
      readonly parts: readonly string[];
      readonly messageSent: boolean;
      /** The last message that a tool has sent into the turn's thread. */
      readonly sentAs?: string;
      /** Why its last words are not sent, in a sentence: the operator did not agree. */
      readonly withheld?: string;
      /** The answer itself, to be kept together with the reply. */
      readonly transcript: readonly TranscriptMessage[];
    }
  | {
      readonly type: 'turn_failed';
      readonly error: AppError;
      readonly partialText: string;
      readonly transcript: readonly TranscriptMessage[];
    };

/** Why a turn is aborted, as the signal's reason: `interrupted` leaves all as it is, to go on at the next start. */
export type TurnAbort = 'interrupted' | 'stopped';

export interface RuntimePort {
  run(turn: TurnInput, signal: AbortSignal): AsyncIterable<RuntimeEvent>;
}
