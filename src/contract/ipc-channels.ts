/** Channel names and types shared by page and main process; no other code, to keep the preload small. */
import type { FeedEvent } from './patch.ts';

/** Request: (method, input) -> Result, as JSON text. */
export const callChannel = 'kennel:call';
/** Request: SubscribeRequest -> Result, as JSON text. */
export const subscribeChannel = 'kennel:subscribe';
/** From main to page: FeedMessage. */
export const eventChannel = 'kennel:event';

/** `id` is chosen by the page and identifies the subscription. */
export type SubscribeRequest =
  | { readonly action: 'open'; readonly id: number; readonly topic: string }
  | { readonly action: 'close'; readonly id: number };

export interface FeedMessage {
  readonly id: number;
  readonly event: FeedEvent;
}

/**
 * API of the preload for the page. Results and events cross as JSON text, because Electron copies objects
 * between the contexts field by field, which takes longer than the rest of a call.
 */
export interface PageBridge {
  call(method: string, input: unknown): Promise<string>;
  subscribe(topic: string, sink: (event: string) => void): () => void;
}
