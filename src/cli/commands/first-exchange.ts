import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatMessage, ServerRow } from '../../contract/model.ts';
import { copy } from '../copy.ts';
import type { HostSession } from '../host-call.ts';
import { labelledLines } from '../table.ts';

// The first exchange shown to a new user in a terminal: a question, the server's view of it, and the answer.

const waitMs = 20_000;

const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}…`;

async function poll<T>(deadline: number, look: () => Promise<T | undefined>): Promise<T | undefined> {
  while (performance.now() < deadline) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(100);
  }
  return undefined;
}

export interface FirstExchange {
  readonly question: string;
  readonly envelope: ServerRow;
  readonly answer: ChatMessage;
}

/** Asks the guide in the demo's channel; `null` if no answer arrives in time. */
export async function firstExchange(session: HostSession, roomId: string): Promise<FirstExchange | null> {
  const deadline = performance.now() + waitMs;
  const { agents } = await session.call('agents.list', {});
  const guide = agents.find((agent) => agent.id === 'guide');
  if (!guide?.slug) return null;
  const question = `@${guide.slug} hello! Who are you?`;
  const sent = await session.call('chat.send', { to: roomId, text: question });
  const envelope = await poll(deadline, async () => {
    const view = await session.call('chat.serverView', { room: roomId, limit: 50 });
    return view.rows.find((row) => row.envelopeId === sent.messageId);
  });
  const answer = await poll(deadline, async () => {
    const { messages } = await session.call('chat.history', { room: roomId, limit: 50 });
    return messages.find((message) => !message.own && message.threadRootId === sent.messageId);
  });
  return envelope && answer ? { question, envelope, answer } : null;
}

export function describeExchange(exchange: FirstExchange): string {
  const { envelope, answer, question } = exchange;
  const { envelopeId: id, bytes, recipients } = envelope;
  const [first = '', ...more] = answer.text.split('\n');
  const rows: readonly (readonly [string, string])[] = [
    [copy('cliStart.youAsk'), ` ${question}`],
    [copy('cliStart.serverHas'), ` ${copy('cliStart.sealed', { id, bytes, recipients })}`],
    ['', ` ${shorten(envelope.ciphertext, 96)}`],
    [shorten(answer.senderName, 13), ` ${first}`],
    ...more.map((line) => ['', ` ${line}`] as const),
  ];
  return ['', copy('cliStart.encrypted'), ...labelledLines(rows, 14), ''].join('\n');
}
