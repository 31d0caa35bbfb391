/** The whole bridge: two functions. No ipcRenderer, no event objects and no channel names reach the page. */
import { contextBridge, ipcRenderer } from 'electron';
import type { HostClient } from '../contract/host-api.ts';
import {
  callChannel,
  eventChannel,
  type FeedMessage,
  type SubscribeRequest,
  subscribeChannel,
} from '../contract/ipc-channels.ts';
import type { FeedEvent } from '../contract/patch.ts';
import { isTopicName } from '../contract/topics.ts';

const sinks = new Map<number, (event: FeedEvent) => void>();
let lastId = 0;

ipcRenderer.on(eventChannel, (_event, message: FeedMessage) => sinks.get(message.id)?.(message.event));

const ask = (request: SubscribeRequest) => ipcRenderer.invoke(subscribeChannel, request);

function subscribe(topic: string, sink: (event: FeedEvent) => void): () => void {
  if (!isTopicName(topic) || typeof sink !== 'function') {
    throw new TypeError('subscribe(topic, sink) wants a known topic and a function');
  }
  lastId += 1;
  const id = lastId;
  sinks.set(id, sink);
  void ask({ action: 'open', id, topic }).then((result) => {
    if (!result.ok) sinks.get(id)?.({ type: 'end', reason: result.error.message });
  });
  return () => {
    if (sinks.delete(id)) void ask({ action: 'close', id });
  };
}

const client: HostClient = {
  call: (method, input) => ipcRenderer.invoke(callChannel, method, input),
  subscribe,
};

contextBridge.exposeInMainWorld('kennel', client);
