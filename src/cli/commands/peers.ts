import type { PeerView } from '../../contract/identity-methods.ts';
import type { PersonDetail } from '../../contract/people-methods.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText, flatLines, labelledLines } from '../table.ts';
import { askInTerminal, canAsk, commandFailure, exitFailed, exitOk, show } from '../terminal.ts';

interface Json {
  readonly json?: boolean;
}

function peerText(peer: PeerView): string {
  const name = peer.displayName === peer.slug ? peer.slug : `${peer.slug} (${peer.displayName})`;
  const { state, messages } = peer;
  if (state === 'waiting') return copy('cliPeers.waiting', { name, messages });
  if (state !== 'changed') return `${name}  ${copy(`cliPeers.state_${state}`)}`;
  const keys = [
    [copy('cliPeers.known'), peer.knownFingerprint],
    [copy('cliPeers.offered'), peer.offeredFingerprint],
  ] as const;
  return [copy('cliPeers.changed', { name, messages }), ...labelledLines(keys, 8)].join('\n');
}

const holding = (on: boolean | null): string => {
  if (on === null) return copy('cliPeers.notSaid');
  return copy(on ? 'cliPeers.holds' : 'cliPeers.everyone');
};

async function runPeers(_args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const found = await call('peers.list', {});
    const waits = found.peers.some(({ state }) => state === 'waiting');
    const answer = waits ? [copy('cliPeers.answerWith')] : [];
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
        throw commandFailure(
          'invalid_input',
          'cliPeers.needsFingerprint',
          {},
          { help: 'cliPeers.comparing' },
        );
      show(false, null, copy('cliPeers.readOut'));
      fingerprint = await askInTerminal(`${copy('cliPeers.typeWhole')} `);
    }
    const { released } = await call('peers.accept', { slug, fingerprint: fingerprint ?? '-' });
    show(flags.json === true, { slug, released }, copy('cliPeers.accepted', { slug, released }));
    return exitOk;
  });
}

async function runAllow(args: readonly string[], flags: Json): Promise<number> {
  const slug = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    const { released } = await call('peers.allow', { slug });
    show(flags.json === true, { released }, copy('cliPeers.allowed', { slug, released }));
    return exitOk;
  });
}

async function runBlock(args: readonly string[], flags: Json): Promise<number> {
  const slug = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    await call('peers.block', { slug });
    show(flags.json === true, {}, copy('cliPeers.blocked', { slug }));
    return exitOk;
  });
}

async function runForget(args: readonly string[], flags: Json): Promise<number> {
  const slug = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    await call('peers.forget', { slug });
    show(flags.json === true, {}, copy('cliPeers.forgotten', { slug }));
    return exitOk;
  });
}

async function runHold(args: readonly string[], flags: Json): Promise<number> {
  const [word = ''] = args;
  if (word !== 'on' && word !== 'off') throw commandFailure('invalid_input', 'cliPeers.onOrOff');
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
      copy(agent ? 'cliSpaces.agent' : 'cliSpaces.person'),
      String(rooms.length),
    ]);
    const heads = [
      copy('cliHeads.handle'),
      copy('cliHeads.name'),
      copy('cliHeads.kind'),
      copy('cliHeads.rooms'),
    ];
    const text = lines.length === 0 ? copy('cliPeers.noResults') : columnsText(heads, lines);
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

function personText(person: PersonDetail): string {
  const { slug, displayName, agent, rooms, trust, safetyNumber: number } = person;
  const groups = number.split(' ');
  const lines = [0, 4, 8].map((at) => `  ${groups.slice(at, at + 4).join(' ')}`);
  const rows: readonly (readonly [string, string])[] = [
    [copy('cliPeers.roomsShared'), String(rooms.length)],
    [
      copy('cliPeers.identityKey'),
      trust === null ? copy('cliPeers.notVerified') : copy(`cliPeers.trust_${trust}`),
    ],
    ...(agent ? [[copy('cliPeers.safetyNumber'), copy('cliPeers.noNumber')] as const] : []),
  ];
  return [
    `${displayName === slug ? slug : `${slug} (${displayName})`}, ${copy(agent ? 'cliSpaces.agent' : 'cliSpaces.person')}`,
    ...flatLines(rows, 14),
    ...(number === '' ? [] : [copy('cliPeers.safetyNumber'), ...lines]),
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
        throw commandFailure(
          'invalid_input',
          'cliPeers.needsNumber',
          {},
          { help: 'cliPeers.comparingNumbers' },
        );
      show(false, null, copy('cliPeers.readNumber'));
      safetyNumber = await askInTerminal(`${copy('cliPeers.typeNumber')} `);
    }
    await call('people.verify', { who: person.slug, safetyNumber: safetyNumber || '-' });
    show(flags.json === true, { slug: person.slug }, copy('cliPeers.nowVerified', { slug: person.slug }));
    return exitOk;
  });
}

async function runUnverify(args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { slug } = await call('people.unverify', { who: args.join(' ') });
    show(flags.json === true, { slug }, copy('cliPeers.unverified', { slug }));
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
