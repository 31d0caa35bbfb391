/**
 * The IPC gate between page and host. It accepts requests only from the top frame of a registered window with
 * our own origin; any other is refused and logged (T22). It never throws: every answer is a Result.
 */
import { z } from 'zod';
import { textError } from '../contract/errors.ts';
import type { HostApi } from '../contract/host-api.ts';
import { callChannel, eventChannel, type FeedMessage, subscribeChannel } from '../contract/ipc-channels.ts';
import { type Principal, parseInput } from '../contract/method-row.ts';
import type { FeedEvent } from '../contract/patch.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { t } from '../language/texts.ts';
import type { DesktopRows } from './desktop-rows.ts';
import type { AskPerson } from './device-question.ts';
import { createPageSubscriptions } from './page-subscriptions.ts';

/** The fields of Electron's event that identify the sender. */
export interface GateEvent {
  readonly sender: {
    readonly id: number;
    send(channel: string, message: FeedMessage): void;
    isDestroyed(): boolean;
  };
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null;
}

export interface GateDeps {
  /** Resolves when the host has started, or to the error that prevented it. */
  host(): Promise<Result<HostApi>>;
  /** Methods that the app handles itself, even without a host. */
  readonly desktop?: DesktopRows;
  /** Confirmation outside of the page; an error keeps the call from the host. */
  readonly askPerson?: AskPerson;
  /** False for methods and feeds (named `''`) that a locked page must not use. */
  permits?(method: string): boolean;
  readonly pageOrigin: string;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

type Listener = (event: GateEvent, ...args: unknown[]) => Promise<Result<unknown>>;

export interface IpcGate {
  /** Registers a window; requests of any other web contents are refused. */
  admit(contentsId: number): void;
  /** The page was reloaded, so the feeds of the old page end. */
  pageLeft(contentsId: number): void;
  dismiss(contentsId: number): void;
  register(handle: (channel: string, listener: Listener) => void): void;
}

const owner: Principal = { kind: 'owner-ui' };
const subscribeSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('open'), id: z.number().int().min(1), topic: z.string().max(300) }),
  z.strictObject({ action: z.literal('close'), id: z.number().int().min(1) }),
]);

const originOf = (address: string): string => {
  if (!URL.canParse(address)) return '';
  const url = new URL(address);
  return `${url.protocol}//${url.host}`;
};

const refuse = (code: 'forbidden' | 'invalid_input' | 'internal' | 'locked', message: string) =>
  err(textError(code, message));

export function createIpcGate(deps: GateDeps): IpcGate {
  const admitted = new Set<number>();
  const subscriptions = createPageSubscriptions();

  const isOurs = ({ sender, senderFrame }: GateEvent): boolean =>
    admitted.has(sender.id) &&
    senderFrame !== null &&
    senderFrame.parent === null &&
    originOf(senderFrame.url) === deps.pageOrigin;

  async function call(method: unknown, input: unknown): Promise<Result<unknown>> {
    if (typeof method !== 'string' || method.length > 100) {
      return refuse('invalid_input', 'The method has no usable name.');
    }
    if (deps.permits?.(method) === false) return refuse('locked', t('shell.windowLocked'));
    const here = deps.desktop?.(method, input);
    if (here) return here;
    const host = await deps.host();
    if (!host.ok) return host;
    const agreed = await deps.askPerson?.(method, input);
    return agreed && !agreed.ok ? agreed : host.value.call(owner, method, input);
  }

  async function subscribe(event: GateEvent, request: unknown): Promise<Result<unknown>> {
    const parsed = parseInput(subscribeSchema, request);
    if (!parsed.success) return refuse('invalid_input', 'This is not a subscription.');
    const { data } = parsed;
    const { sender } = event;
    if (data.action === 'close') {
      subscriptions.close(sender.id, data.id);
      return ok({});
    }
    const send = (feedEvent: FeedEvent) => {
      if (!sender.isDestroyed()) sender.send(eventChannel, { id: data.id, event: feedEvent });
    };
    return subscriptions.open(sender.id, data.id, async () => {
      const host = await deps.host();
      if (deps.permits?.('') === false) return refuse('locked', t('shell.windowLocked'));
      return host.ok ? host.value.subscribe(owner, data.topic, send) : host;
    });
  }

  const guarded =
    (channel: string, answer: (event: GateEvent, args: unknown[]) => Promise<Result<unknown>>): Listener =>
    async (event, ...args) => {
      if (!isOurs(event)) {
        deps.warn('a request from an unknown sender was refused', {
          channel,
          sender: event.sender.id,
          url: event.senderFrame?.url.slice(0, 200) ?? '',
        });
        return refuse('forbidden', 'Only the Kennel window may ask.');
      }
      try {
        return await answer(event, args);
      } catch (error) {
        deps.warn('a request failed by a bug', { channel, error: String(error) });
        return refuse('internal', 'Something went wrong inside Kennel; nothing was changed by this request.');
      }
    };

  return {
    admit: (contentsId) => void admitted.add(contentsId),
    pageLeft: (contentsId) => subscriptions.closeAll(contentsId),
    dismiss(contentsId) {
      admitted.delete(contentsId);
      subscriptions.closeAll(contentsId);
    },
    register(handle) {
      handle(
        callChannel,
        guarded(callChannel, (_event, [method, input]) => call(method, input)),
      );
      handle(
        subscribeChannel,
        guarded(subscribeChannel, (event, [request]) => subscribe(event, request)),
      );
    },
  };
}
