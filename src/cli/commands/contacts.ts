import type { ContactView } from '../../contract/identity-methods.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { exitOk, show } from '../terminal.ts';

interface Flags {
  readonly json?: boolean;
  readonly server?: string;
}

function contactText({ slug, server, state, messages, agents }: ContactView): string {
  if (state !== 'waiting') return `${slug}  ${copy(`cliContacts.state_${state}`)}  (${server})`;
  return copy('cliContacts.waiting', { slug, messages, agents: agents.join(', '), server });
}

const target = (args: readonly string[], { server }: Flags) => ({
  slug: (args[0] ?? '').replace(/^@/, ''),
  ...(server === undefined ? {} : { server }),
});

async function runContacts(_args: readonly string[], flags: Flags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const found = await call('contacts.list', {});
    const isWaiting = found.contacts.some(({ state }) => state === 'waiting');
    const answer = isWaiting ? [copy('cliContacts.answerWith')] : [];
    const none = found.contacts.length === 0 ? [copy('cliContacts.none')] : [];
    const lines = [...found.contacts.map(contactText), ...none, ...answer];
    show(flags.json === true, found, lines.join('\n'));
    return exitOk;
  });
}

async function runAcceptContact(args: readonly string[], flags: Flags): Promise<number> {
  const wish = target(args, flags);
  return withHost('running-host', async ({ call }) => {
    const { released } = await call('contacts.accept', wish);
    show(flags.json === true, { released }, copy('cliContacts.accepted', { slug: wish.slug, released }));
    return exitOk;
  });
}

async function runBlockContact(args: readonly string[], flags: Flags): Promise<number> {
  const wish = target(args, flags);
  return withHost('running-host', async ({ call }) => {
    await call('contacts.block', wish);
    show(flags.json === true, {}, copy('cliContacts.blocked', { slug: wish.slug }));
    return exitOk;
  });
}

async function runForgetContact(args: readonly string[], flags: Flags): Promise<number> {
  const wish = target(args, flags);
  return withHost('running-host', async ({ call }) => {
    await call('contacts.forget', wish);
    show(flags.json === true, {}, copy('cliContacts.forgotten', { slug: wish.slug }));
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
