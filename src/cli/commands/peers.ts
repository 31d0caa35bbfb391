import type { PeerView } from '../../contract/identity-methods.ts';
import type { PersonDetail } from '../../contract/people-methods.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { withHost } from '../host-call.ts';
import { columnsText } from '../table.ts';
import { askInTerminal, canAsk, exitFailed, exitOk, show, usageError } from '../terminal.ts';

interface Json {
  readonly json?: boolean;
}

const count = (messages: number): string => (messages === 1 ? '1 message' : `${messages} messages`);

function peerText(peer: PeerView): string {
  const name = peer.displayName === peer.slug ? peer.slug : `${peer.slug} (${peer.displayName})`;
  if (peer.state === 'waiting')
    return `${name}  wants to write to you; ${count(peer.messages)} at the server`;
  if (peer.state !== 'changed') return `${name}  ${peer.state}`;
  return [
    `${name}  has another identity key now; ${count(peer.messages)} held back, nothing is sent to them`,
    `  known    ${peer.knownFingerprint}`,
    `  offered  ${peer.offeredFingerprint}`,
  ].join('\n');
}

const holding = (on: boolean | null): string => {
  if (on === null) return 'Your server does not say who may write to you.';
  return on
    ? 'You approve messages from new people before they reach you.'
    : 'Everyone on your server can write to you.';
};

async function runPeers(_args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const found = await call('peers.list', {});
    const waits = found.peers.some(({ state }) => state === 'waiting');
    const answer = waits ? ['Answer with "kennel peers allow SLUG" or "kennel peers block SLUG".'] : [];
    const lines = [...found.peers.map(peerText), ...answer, holding(found.holdFirstContact)];
    show(flags.json === true, found, lines.join('\n'));
    return exitOk;
  });
}

interface AcceptFlags extends Json {
  readonly fingerprint?: string;
  readonly yes?: boolean;
}

/** The operator types the complete fingerprint, or confirms the one shown. */
async function runAccept(args: readonly string[], flags: AcceptFlags): Promise<number> {
  const slug = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    const { peers } = await call('peers.list', {});
    const peer = peers.find((one) => one.slug === slug && one.state === 'changed');
    if (peer && !flags.json) show(false, null, peerText(peer));
    let fingerprint = flags.fingerprint ?? (flags.yes ? peer?.offeredFingerprint : undefined);
    if (fingerprint === undefined && peer) {
      if (!canAsk())
        throw usageError('This needs the fingerprint.', 'Add --fingerprint "…", or --yes after comparing.');
      show(false, null, 'Have them read out theirs ("kennel operator show") by phone or face to face.');
      fingerprint = await askInTerminal('Type the whole fingerprint that is offered: ');
    }
    const { released } = await call('peers.accept', { slug, fingerprint: fingerprint ?? '-' });
    const text = `The new key of ${slug} is theirs from now on. ${count(released)} held back: fetched now.`;
    show(flags.json === true, { slug, released }, text);
    return exitOk;
  });
}

async function runAllow(args: readonly string[], flags: Json): Promise<number> {
  const slug = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    const { released } = await call('peers.allow', { slug });
    show(flags.json === true, { released }, `${slug} may write to you. ${count(released)} had waited.`);
    return exitOk;
  });
}

async function runBlock(args: readonly string[], flags: Json): Promise<number> {
  const slug = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    await call('peers.block', { slug });
    show(flags.json === true, {}, `${slug} cannot write to you any more, and is not told.`);
    return exitOk;
  });
}

async function runForget(args: readonly string[], flags: Json): Promise<number> {
  const slug = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    await call('peers.forget', { slug });
    show(flags.json === true, {}, `${slug} is a stranger again.`);
    return exitOk;
  });
}

async function runHold(args: readonly string[], flags: Json): Promise<number> {
  const [word = ''] = args;
  if (word !== 'on' && word !== 'off') throw usageError('Say "on" or "off".');
  return withHost('running-host', async ({ call }) => {
    await call('peers.holdFirst', { on: word === 'on' });
    const { holdFirstContact } = await call('peers.list', {});
    show(flags.json === true, { holdFirstContact }, holding(holdFirstContact));
    return holdFirstContact === (word === 'on') ? exitOk : exitFailed;
  });
}

async function runFind(args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const found = await call('people.find', { text: args.join(' ') });
    const lines = found.people.map(({ slug, displayName, agent, rooms }) => [
      slug,
      displayName === slug ? '' : displayName,
      agent ? 'agent' : 'person',
      String(rooms.length),
    ]);
    const none =
      'No results. Someone who shares no room with you is found by the complete handle, such as ada-3f9a.';
    const text = lines.length === 0 ? none : columnsText(['HANDLE', 'NAME', 'KIND', 'ROOMS'], lines);
    show(flags.json === true, found, text);
    return exitOk;
  });
}

const find = defineCommand({
  verb: 'find',
  args: '[name...]',
  examples: ['peers find ada', 'peers find ada-3f9a', 'peers find --json'],
  run: runFind,
});

const trustText = {
  verified: 'verified',
  changed: 'the server offers another identity key; answer with "kennel peers accept"',
  lost: 'not verified: the verified key was replaced',
} as const;

function personText(person: PersonDetail): string {
  const { slug, displayName, agent, rooms, trust, safetyNumber: number } = person;
  const groups = number.split(' ');
  const lines = [0, 4, 8].map((at) => `  ${groups.slice(at, at + 4).join(' ')}`);
  return [
    `${displayName === slug ? slug : `${slug} (${displayName})`}, ${agent ? 'agent' : 'person'}`,
    `rooms shared   ${rooms.length}`,
    `identity key   ${trust === null ? 'not verified' : trustText[trust]}`,
    ...(agent ? ['safety number  the number of an agent cannot be compared'] : []),
    ...(number === '' ? [] : ['safety number', ...lines]),
  ].join('\n');
}

async function runShow(args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const person = await call('people.show', { who: args.join(' ') });
    show(flags.json === true, person, personText(person));
    return exitOk;
  });
}

interface VerifyFlags extends Json {
  readonly number?: string;
  readonly yes?: boolean;
}

/** The operator types the complete safety number of the other side, or confirms the one shown. */
async function runVerify(args: readonly string[], flags: VerifyFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const person = await call('people.show', { who: args.join(' ') });
    if (!flags.json) show(false, null, personText(person));
    const shown = flags.yes || person.agent ? person.safetyNumber : undefined;
    let safetyNumber = flags.number ?? shown;
    if (safetyNumber === undefined) {
      if (!canAsk())
        throw usageError('This needs the safety number.', 'Add --number "…", or --yes after comparing.');
      show(false, null, 'Have them read out the number that they see for you, by phone or face to face.');
      safetyNumber = await askInTerminal('Type the whole number that they read out: ');
    }
    await call('people.verify', { who: person.slug, safetyNumber: safetyNumber || '-' });
    show(flags.json === true, { slug: person.slug }, `${person.slug} is verified.`);
    return exitOk;
  });
}

async function runUnverify(args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { slug } = await call('people.unverify', { who: args.join(' ') });
    show(flags.json === true, { slug }, `${slug} is not verified any more.`);
    return exitOk;
  });
}

const showPerson = defineCommand({
  verb: 'show',
  args: '<person...>',
  examples: ['peers show bob-1f3a', 'peers show Bob', 'peers show bob-1f3a --json'],
  run: runShow,
});

const verify = defineCommand({
  verb: 'verify',
  args: '<person...>',
  options: [{ flags: '--number <digits>' }, { flags: '--yes' }],
  examples: [
    'peers verify bob-1f3a',
    'peers verify bob-1f3a --number "05634 69074 …"',
    'peers unverify bob-1f3a',
  ],
  run: runVerify,
});

const unverify = defineCommand({
  verb: 'unverify',
  args: '<person...>',
  examples: ['peers unverify bob-1f3a', 'peers unverify bob-1f3a --json', 'peers show bob-1f3a'],
  run: runUnverify,
});

const list = defineCommand({
  verb: 'list',
  examples: [
    'peers list',
    'peers list --json',
    'peers list --json | jq \'.peers[] | select(.state=="changed")\'',
  ],
  run: runPeers,
});

const accept = defineCommand({
  verb: 'accept',
  args: '<handle>',
  options: [{ flags: '--fingerprint <digits>' }, { flags: '--yes' }],
  examples: ['peers accept bob-1f3a', 'peers accept bob-1f3a --fingerprint "12345 67890 …"', 'operator show'],
  run: runAccept,
});

const allow = defineCommand({
  verb: 'allow',
  args: '<handle>',
  examples: ['peers allow bob-1f3a', 'peers allow bob-1f3a --json', 'peers forget bob-1f3a'],
  run: runAllow,
});

const block = defineCommand({
  verb: 'block',
  args: '<handle>',
  examples: ['peers block bob-1f3a', 'peers block bob-1f3a --json', 'peers forget bob-1f3a'],
  run: runBlock,
});

const forget = defineCommand({
  verb: 'forget',
  args: '<handle>',
  examples: ['peers forget bob-1f3a', 'peers forget bob-1f3a --json', 'peers list'],
  run: runForget,
});

const hold = defineCommand({
  verb: 'hold',
  args: '<on|off>',
  examples: ['peers hold on', 'peers hold off', 'peers list'],
  run: runHold,
});

export const peersCommands: readonly CommandSpec[] = [
  find,
  showPerson,
  verify,
  unverify,
  list,
  accept,
  allow,
  block,
  forget,
  hold,
];
