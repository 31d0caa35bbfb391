import type { ContactView } from '../../contract/identity-methods.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { withHost } from '../host-call.ts';
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

async function runContacts(_args: readonly string[], flags: Flags): Promise<number> {
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

async function runAcceptContact(args: readonly string[], flags: Flags): Promise<number> {
  const wish = target(args, flags);
  return withHost('running-host', async ({ call }) => {
    const { released } = await call('contacts.accept', wish);
    const text = `Your agents answer ${wish.slug} from now on. ${count(released)} had waited.`;
    show(flags.json === true, { released }, text);
    return exitOk;
  });
}

async function runBlockContact(args: readonly string[], flags: Flags): Promise<number> {
  const wish = target(args, flags);
  return withHost('running-host', async ({ call }) => {
    await call('contacts.block', wish);
    show(flags.json === true, {}, `No agent of yours answers ${wish.slug} any more. They are not told.`);
    return exitOk;
  });
}

async function runForgetContact(args: readonly string[], flags: Flags): Promise<number> {
  const wish = target(args, flags);
  return withHost('running-host', async ({ call }) => {
    await call('contacts.forget', wish);
    show(flags.json === true, {}, `You are asked again when ${wish.slug} writes to an agent.`);
    return exitOk;
  });
}

const server = {
  flags: '--server <url>',
};

const list = defineCommand({
  verb: 'list',
  examples: [
    'contacts list',
    'contacts list --json',
    'contacts list --json | jq \'.contacts[] | select(.state=="waiting")\'',
  ],
  run: runContacts,
});

const accept = defineCommand({
  verb: 'accept',
  args: '<handle>',
  options: [server],
  examples: [
    'contacts accept bob-1f3a',
    'contacts accept bob-1f3a --server https://chat.example.org',
    'contacts accept bob-1f3a --json',
  ],
  run: runAcceptContact,
});

const block = defineCommand({
  verb: 'block',
  args: '<handle>',
  options: [server],
  examples: [
    'contacts block bob-1f3a',
    'contacts block bob-1f3a --server https://chat.example.org',
    'contacts forget bob-1f3a',
  ],
  run: runBlockContact,
});

const forget = defineCommand({
  verb: 'forget',
  args: '<handle>',
  options: [server],
  examples: [
    'contacts forget bob-1f3a',
    'contacts forget bob-1f3a --server https://chat.example.org',
    'contacts list',
  ],
  run: runForgetContact,
});

export const contactsCommands: readonly CommandSpec[] = [list, accept, block, forget];
