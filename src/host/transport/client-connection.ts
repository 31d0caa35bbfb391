/**
 * Serves one client over any transport: answers calls and feeds topics. Nothing is queued for a slow reader:
 * its topics pause and restart from a new snapshot once it has caught up.
 */
import { messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { clientFrameSchema, type HostFrame, maxFrameBytes } from '../../contract/frames.ts';
import type { HostApi } from '../../contract/host-api.ts';
import type { Principal } from '../../contract/method-row.ts';
import type { FeedEvent } from '../../contract/patch.ts';
import { err, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';

/** Unread bytes in a connection above which its topics pause. */
export const slowClientBytes = 1024 * 1024;
const maxTopics = 200;
const maxCallsAtOnce = 64;

export interface Wire {
  send(text: string): void;
  /** Bytes written but not yet read by the client. */
  buffered(): number;
  close(reason: string): void;
}

export interface TransportSession {
  onText(text: string): void;
  /** Call it when the client has caught up. */
  onDrain(): void;
  end(): void;
}

interface Topic {
  readonly name: string;
  /** `null` while paused. */
  stop: (() => void) | null;
}

function parseFrame(text: string) {
  try {
    return clientFrameSchema.safeParse(JSON.parse(text));
  } catch {
    return null;
  }
}

export function createTransportSession(options: {
  readonly api: HostApi;
  readonly principal: Principal;
  readonly wire: Wire;
}): TransportSession {
  const { api, principal, wire } = options;
  const topics = new Map<number, Topic>();
  let calls = 0;
  let over = false;

  const send = (frame: HostFrame): void => {
    if (over) return;
    const text = JSON.stringify(frame);
    if (text.length <= maxFrameBytes) wire.send(text);
    else if (frame.type === 'result') {
      send({ ...frame, result: err(fail('too_large', 'host.answerTooLarge')) });
    } else wire.close('a feed event is too large');
  };

  const feed = (id: number, topic: Topic, event: FeedEvent): void => {
    if (event.type === 'patch' && wire.buffered() > slowClientBytes) {
      topic.stop?.();
      topic.stop = null;
      return;
    }
    send({ type: 'event', id, event });
  };

  const open = (id: number, topic: Topic): Result<unknown> => {
    const opened = api.subscribe(principal, topic.name, (event) => feed(id, topic, event));
    if (opened.ok) topic.stop = opened.value;
    return opened;
  };

  const call = async (id: number, method: string, input: unknown): Promise<void> => {
    if (calls >= maxCallsAtOnce) {
      send({ type: 'result', id, result: err(fail('rate_limited', 'host.tooManyCalls')) });
      return;
    }
    calls += 1;
    const result = await api.call(principal, method, input);
    calls -= 1;
    send({ type: 'result', id, result });
  };

  const subscribe = (id: number, name: string): void => {
    if (topics.has(id) || topics.size >= maxTopics) {
      send({ type: 'event', id, event: { type: 'end', reason: say('host.tooManyTopics') } });
      return;
    }
    const topic: Topic = { name, stop: null };
    const opened = open(id, topic);
    if (opened.ok) topics.set(id, topic);
    else send({ type: 'event', id, event: { type: 'end', reason: messageOf(opened.error) } });
  };

  const unsubscribe = (id: number): void => {
    topics.get(id)?.stop?.();
    topics.delete(id);
  };

  return {
    onText(text) {
      const frame = parseFrame(text);
      if (!frame?.success) wire.close('a frame could not be understood');
      else if (frame.data.type === 'call') void call(frame.data.id, frame.data.method, frame.data.input);
      else if (frame.data.type === 'subscribe') subscribe(frame.data.id, frame.data.topic);
      else unsubscribe(frame.data.id);
    },
    onDrain() {
      for (const [id, topic] of topics) if (topic.stop === null && !open(id, topic).ok) topics.delete(id);
    },
    end() {
      over = true;
      for (const id of [...topics.keys()]) unsubscribe(id);
    },
  };
}
