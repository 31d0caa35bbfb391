/**
 * The bridge consists of two functions. The page gets no ipcRenderer, no event objects and no channel names.
 */

import { contextBridge, ipcRenderer } from 'electron';
import { messageOf } from '../contract/errors.ts';
import {
  callChannel,
  eventChannel,
  type FeedMessage,
  type PageBridge,
  type SubscribeRequest,
  subscribeChannel,
} from '../contract/ipc-channels.ts';
import type { FeedEvent } from '../contract/patch.ts';
import type { Result } from '../contract/result.ts';
import { isTopicName } from '../contract/topics.ts';

const sinks = new Map<number, (event: string) => void>();
let lastId = 0;

const tell = (id: number, event: FeedEvent): void => sinks.get(id)?.(JSON.stringify(event));

ipcRenderer.on(eventChannel, (_event, message: FeedMessage) => tell(message.id, message.event));

async function ask(request: SubscribeRequest): Promise<Result<unknown>> {
  const answer: string = await ipcRenderer.invoke(subscribeChannel, request);
  return JSON.parse(answer) as Result<unknown>;
}

function subscribe(topic: string, sink: (event: string) => void): () => void {
  if (!isTopicName(topic) || typeof sink !== 'function') {
    throw new TypeError('subscribe(topic, sink) wants a known topic and a function');
  }
  lastId += 1;
  const id = lastId;
  sinks.set(id, sink);
  void ask({ action: 'open', id, topic }).then((result) => {
    if (!result.ok) tell(id, { type: 'end', reason: messageOf(result.error) });
  });
  return () => {
    if (sinks.delete(id)) void ask({ action: 'close', id });
  };
}

const bridge: PageBridge = {
  call: (method, input) => ipcRenderer.invoke(callChannel, method, input),
  subscribe,
};

contextBridge.exposeInMainWorld('kennel', bridge);
