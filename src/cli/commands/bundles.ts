import { resolve } from 'node:path';
import type { ExportKind, Imported, ImportReview, IncomingAgent } from '../../contract/bundles.ts';
import { defineCommand, type OptionSpec } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { labelledLines } from '../table.ts';
import {
  askNewPassphrase,
  askSecret,
  askYes,
  canAsk,
  commandFailure,
  exitFailed,
  exitOk,
  type SecretFlag,
  secretFlag,
  show,
} from '../terminal.ts';

interface Json {
  readonly json?: boolean;
}

interface ExportFlags extends Json {
  readonly passphrase?: SecretFlag;
  readonly folder?: boolean;
  readonly force?: boolean;
}

const bundleEnding = '.puffoagent';

function destination(dest: string, flags: ExportFlags): { path: string; kind: ExportKind } {
  const path = resolve(dest);
  if (path.endsWith(bundleEnding)) return { path, kind: 'bundle' };
  if (flags.passphrase !== undefined) return { path: `${path}${bundleEnding}`, kind: 'bundle' };
  if (flags.folder) return { path, kind: 'folder' };
  return { path: path.endsWith('.zip') ? path : `${path}.zip`, kind: 'zip' };
}

async function newPassphrase(flags: ExportFlags): Promise<string> {
  // The flag without a value prompts below, twice.
  const said = flags.passphrase === true ? undefined : flags.passphrase;
  const given = (await secretFlag(said, '--passphrase')) ?? process.env.KENNEL_BUNDLE_PASSPHRASE;
  if (given && flags.passphrase !== true) return given;
  if (!canAsk())
    throw commandFailure(
      'invalid_input',
      'cliBundles.needsPassphrase',
      {},
      { help: 'cliBundles.giveOnInput' },
    );
  const typed = await askNewPassphrase(`${copy('cliBundles.newPassphrase')} `);
  if (typed === null) throw commandFailure('invalid_input', 'cliBundles.notWritten');
  return typed;
}

const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.ceil(bytes / 1024 / 1024)} MiB`;

function leftWords(left: readonly string[]): string[] {
  if (left.length === 0) return [];
  const shown = left.slice(0, 10).map((path) => `  ${path}`);
  const more = left.length > 10 ? [`  ${copy('cliBundles.andMore', { count: left.length - 10 })}`] : [];
  return [copy('cliBundles.leftOut'), ...shown, ...more];
}

async function runExport(args: readonly string[], flags: ExportFlags): Promise<number> {
  const [agent = '', dest = ''] = args;
  const { path, kind } = destination(dest, flags);
  const passphrase = kind === 'bundle' ? await newPassphrase(flags) : undefined;
  return withHost('files', async ({ call }) => {
    const input = { agent, path, kind, replace: flags.force === true };
    const done = await call('bundles.export', passphrase === undefined ? input : { ...input, passphrase });
    const what = copy(kind === 'bundle' ? 'cliBundles.encrypted' : 'cliBundles.withoutKeys');
    const { path: at, files, bytes } = done;
    const text = copy('cliBundles.wrote', { agent, path: at, files, size: sizeOf(bytes), what });
    show(flags.json === true, done, [text, ...leftWords(done.left)].join('\n'));
    return exitOk;
  });
}

async function runRegister(args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const agent = await call('agents.register', { agent: args[0] ?? '' });
    const { id, slug } = agent;
    const text =
      slug === null ? copy('cliBundles.registeredNow', { id }) : copy('cliBundles.registered', { id, slug });
    show(flags.json === true, agent, text);
    return exitOk;
  });
}

interface ImportFlags extends Json {
  readonly passphrase?: SecretFlag;
  readonly review?: boolean;
  readonly yes?: boolean;
  readonly only?: string;
  readonly as?: string;
  readonly trust?: boolean;
  readonly newIdentity?: boolean;
}

const vouched = {
  you: 'cliBundles.vouched_you',
  other: 'cliBundles.vouched_other',
  nobody: 'cliBundles.vouched_nobody',
} as const;

function identityWords({ identity, identityNote }: IncomingAgent, flags: ImportFlags): string {
  if (!identity) return shown(identityNote);
  const { slug, serverUrl: server, vouchedBy } = identity;
  if (flags.newIdentity) return copy('cliBundles.ownIdentity', { slug });
  return copy('cliBundles.identityAt', { slug, server, vouched: copy(vouched[vouchedBy]) });
}

const quote = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 6);

function describeAgent(agent: IncomingAgent, flags: ImportFlags): string[] {
  if (agent.displayName === '')
    return [agent.id, ...labelledLines([[copy('cliAgents.label_problem'), shown(agent.problem)]], 12)];
  const { runtime } = agent;
  const rows: [string, string][] = [
    [copy('cliAgents.label_name'), agent.displayName],
    [copy('cliAgents.label_role'), agent.role || copy('cliValues.none')],
    ...quote(agent.soul).map((line, index): [string, string] => [
      index === 0 ? copy('cliAgents.label_soul') : '',
      line,
    ]),
    [
      copy('cliAgents.label_thinksWith'),
      [runtime.kind, runtime.provider, runtime.model].filter(Boolean).join(', '),
    ],
    [copy('cliAgents.label_tools'), agent.tools.join(', ')],
    [copy('cliAgents.label_answers'), agent.triggers.join(', ')],
    [
      copy('cliAgents.label_files'),
      copy('cliBundles.filesAndNotes', {
        files: agent.files,
        size: sizeOf(agent.bytes),
        notes: agent.notes,
      }),
    ],
    [copy('cliAgents.label_identity'), identityWords(agent, flags)],
    [copy('cliAgents.label_apiKey'), copy(agent.apiKey ? 'cliBundles.ownApiKey' : 'cliBundles.noApiKey')],
  ];
  for (const permission of agent.permissions)
    rows.push([copy(flags.trust ? 'cliAgents.label_trusted' : 'cliAgents.label_takenAway'), permission]);
  for (const path of agent.left.slice(0, 5)) rows.push([copy('cliAgents.label_leftOut'), path]);
  if (agent.problem !== '' && flags.as === undefined)
    rows.push([copy('cliAgents.label_problem'), shown(agent.problem)]);
  return [agent.id, ...labelledLines(rows, 12)];
}

function describeReview(review: ImportReview, flags: ImportFlags): string {
  const lines = review.agents.flatMap((agent) => describeAgent(agent, flags));
  for (const { slug, type, use } of review.identities) lines.push(`${slug} (${type}) ${shown(use)}`);
  if (review.providerKeys.length > 0)
    lines.push(copy('cliBundles.apiKeysCome', { providers: review.providerKeys.join(', ') }));
  return lines.join('\n');
}

async function bundlePassphrase(flags: ImportFlags): Promise<string | undefined> {
  return (
    (await secretFlag(flags.passphrase, '--passphrase')) ??
    (process.env.KENNEL_BUNDLE_PASSPHRASE || undefined)
  );
}

function describeImported({ agents, notes }: Imported): string {
  const lines = agents.map(({ from, id, imported, note }) =>
    imported
      ? `${copy('cliAgents.imported', { id })} ${shown(note)}`
      : copy('cliAgents.notImported', { id: from, why: note }),
  );
  const first = agents.find(({ imported }) => imported);
  if (first) lines.push(copy('cliAgents.startImported', { id: first.id }));
  return [...lines, ...notes.map(shown)].join('\n');
}

const pick = (only: string | undefined) =>
  only
    ?.split(',')
    .map((id) => id.trim())
    .filter(Boolean);

async function confirm(flags: ImportFlags): Promise<void> {
  if (flags.yes) return;
  if (!canAsk())
    throw commandFailure(
      'invalid_input',
      'cliTerminal.askOnlyInTerminal',
      {},
      { help: 'cliBundles.lookThenYes' },
    );
  if (!(await askYes(copy('cliBundles.takeIn'))))
    throw commandFailure('cancelled', 'cliBundles.nothingImported');
}

async function runImport(args: readonly string[], flags: ImportFlags): Promise<number> {
  const path = resolve(args[0] ?? '');
  let passphrase = await bundlePassphrase(flags);
  return withHost('files', async ({ call, client }) => {
    const ref = () => (passphrase === undefined ? { path } : { path, passphrase });
    const looked = await client.call('bundles.review', ref());
    if (!looked.ok && looked.error.code === 'locked' && passphrase === undefined && canAsk()) {
      passphrase = await askSecret(`${copy('cliBundles.passphraseOf')} `);
    }
    const review = looked.ok ? looked.value : await call('bundles.review', ref());
    if (flags.review) {
      show(flags.json === true, review, describeReview(review, flags));
      return exitOk;
    }
    if (flags.json !== true) show(false, review, describeReview(review, flags));
    await confirm(flags);
    const only = pick(flags.only);
    const done = await call('bundles.import', {
      ...ref(),
      digest: review.digest,
      ...(only ? { only } : {}),
      ...(flags.as === undefined ? {} : { as: flags.as }),
      trust: flags.trust === true,
      identity: flags.newIdentity ? 'new' : 'keep',
    });
    show(flags.json === true, done, describeImported(done));
    return done.agents.some(({ imported }) => !imported) ? exitFailed : exitOk;
  });
}

const passphraseOption: OptionSpec = {
  flags: '--passphrase [text]',
};

export const exportCommand = defineCommand({
  verb: 'export',
  args: '<agent> <dest>',
  progress: 'cliProgress.exporting',
  options: [passphraseOption, { flags: '--folder' }, { flags: '--force' }],
  examples: [
    'agent export guide guide.puffoagent',
    'agent export guide guide.zip',
    'agent export guide ./guide --folder',
  ],
  run: runExport,
});

export const registerCommand = defineCommand({
  verb: 'register',
  args: '<agent>',
  progress: 'cliProgress.registering',
  examples: ['agent register helper', 'agent register helper --json', 'agent show helper'],
  run: runRegister,
});

export const importCommand = defineCommand({
  verb: '',
  args: '<path>',
  progress: 'cliProgress.importing',
  options: [
    passphraseOption,
    { flags: '--review' },
    { flags: '--yes' },
    { flags: '--only <ids>' },
    { flags: '--as <id>' },
    { flags: '--trust' },
    { flags: '--new-identity' },
  ],
  examples: [
    'import guide.puffoagent --review',
    'import guide.puffoagent',
    'import ~/.puffo-agent --only guide,helper --yes',
  ],
  run: runImport,
});
