/** The bridge between page and main process: names and shapes only, so that the preload stays small. */
import type { FeedEvent } from './patch.ts';

/** Request: (method, input) -> Result, as JSON text. */
export const callChannel = 'kennel:call';
/** Request: SubscribeRequest -> Result, as JSON text. */
export const subscribeChannel = 'kennel:subscribe';
/** From main to page: FeedMessage. */
export const eventChannel = 'kennel:event';

/** `id` is chosen by the page and names the subscription from then on. */
export type SubscribeRequest =
  | { readonly action: 'open'; readonly id: number; readonly topic: string }
  | { readonly action: 'close'; readonly id: number };

export interface FeedMessage {
  readonly id: number;
  readonly event: FeedEvent;
}

/**
 * What the preload puts on the page. Answers and events cross as JSON text: Electron copies objects between the two
 * worlds field by field, which takes longer than everything else of a call together.
 */
export interface PageBridge {
  call(method: string, input: unknown): Promise<string>;
  subscribe(topic: string, sink: (event: string) => void): () => void;
}
