import type { ContactView } from '../../contract/identity-methods.ts';
import { withHost } from '../session.ts';
import { exitOk, show } from '../terminal.ts';

interface Flags {
  readonly json?: boolean;
  readonly server?: string;
}

const count = (messages: number): string => (messages === 1 ? '1 message' : `${messages} messages`);

function contactText({ slug, server, state, messages, agents }: ContactView): string {
  if (state !== 'waiting') return `${slug}  ${state}  (${server})`;
  return `${slug}  waits for your decision; ${count(messages)} held by ${agents.join(', ')}  (${server})`;
}

const target = (args: readonly string[], { server }: Flags) => ({
  slug: (args[0] ?? '').replace(/^@/, ''),
  ...(server === undefined ? {} : { server }),
});

export async function runContacts(_args: readonly string[], flags: Flags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const found = await call('contacts.list', {});
    const isWaiting = found.contacts.some(({ state }) => state === 'waiting');
    const answer = isWaiting
      ? ['Answer with "kennel contacts accept SLUG" or "kennel contacts block SLUG".']
      : [];
    const none =
      found.contacts.length === 0
        ? ['No person is waiting, and you have not accepted or blocked anyone.']
        : [];
    const lines = [...found.contacts.map(contactText), ...none, ...answer];
    show(flags.json === true, found, lines.join('\n'));
    return exitOk;
  });
}

export async function runAcceptContact(args: readonly string[], flags: Flags): Promise<number> {
  const wish = target(args, flags);
  return withHost('running-host', async ({ call }) => {
    const { released } = await call('contacts.accept', wish);
    const text = `Your agents answer ${wish.slug} from now on. ${count(released)} had waited.`;
    show(flags.json === true, { released }, text);
    return exitOk;
  });
}

export async function runBlockContact(args: readonly string[], flags: Flags): Promise<number> {
  const wish = target(args, flags);
  return withHost('running-host', async ({ call }) => {
    await call('contacts.block', wish);
    show(flags.json === true, {}, `No agent of yours answers ${wish.slug} any more. They are not told.`);
    return exitOk;
  });
}

export async function runForgetContact(args: readonly string[], flags: Flags): Promise<number> {
  const wish = target(args, flags);
  return withHost('running-host', async ({ call }) => {
    await call('contacts.forget', wish);
    show(flags.json === true, {}, `You are asked again when ${wish.slug} writes to an agent.`);
    return exitOk;
  });
}
