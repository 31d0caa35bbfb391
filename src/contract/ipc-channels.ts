/** The bridge between page and main process: names and shapes only, so that the preload stays small. */
import type { FeedEvent } from './patch.ts';

/** Request: (method, input) -> Result. */
export const callChannel = 'kennel:call';
/** Request: SubscribeRequest -> Result. */
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
