import { resolve } from 'node:path';
import type { ExportKind, Imported, ImportReview, IncomingAgent } from '../../contract/bundles.ts';
import { defineCommand, type OptionSpec } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { withHost } from '../host-call.ts';
import {
  askNewPassphrase,
  askSecret,
  askYes,
  CommandFailure,
  canAsk,
  exitFailed,
  exitOk,
  type SecretFlag,
  secretFlag,
  show,
  usageError,
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
    throw usageError('A bundle needs a passphrase.', 'Give it on standard input: --passphrase -');
  const typed = await askNewPassphrase('A passphrase for the bundle (12 characters or more): ');
  if (typed === null) throw usageError('No passphrase was given; nothing was written.');
  return typed;
}

const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.ceil(bytes / 1024 / 1024)} MiB`;

function leftWords(left: readonly string[]): string[] {
  if (left.length === 0) return [];
  const shown = left.slice(0, 10).map((path) => `  ${path}`);
  const more = left.length > 10 ? [`  and ${left.length - 10} more`] : [];
  return ['Left out, as links or because they may hold secrets:', ...shown, ...more];
}

async function runExport(args: readonly string[], flags: ExportFlags): Promise<number> {
  const [agent = '', dest = ''] = args;
  const { path, kind } = destination(dest, flags);
  const passphrase = kind === 'bundle' ? await newPassphrase(flags) : undefined;
  return withHost('files', async ({ call }) => {
    const input = { agent, path, kind, replace: flags.force === true };
    const done = await call('bundles.export', passphrase === undefined ? input : { ...input, passphrase });
    const what = kind === 'bundle' ? 'encrypted, with its keys' : 'without keys and passwords';
    const text = [`Wrote ${agent} to ${done.path}: ${done.files} files, ${sizeOf(done.bytes)}, ${what}.`];
    show(flags.json === true, done, [...text, ...leftWords(done.left)].join('\n'));
    return exitOk;
  });
}

async function runRegister(args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const agent = await call('agents.register', { agent: args[0] ?? '' });
    show(flags.json === true, agent, `${agent.id} is ${agent.slug ?? 'registered'} now.`);
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
  you: 'vouched for by you',
  'somebody else': "somebody else's agent",
  nobody: 'vouched for by nobody',
};

function identityWords({ identity, identityNote }: IncomingAgent, flags: ImportFlags): string {
  if (!identity) return shown(identityNote);
  if (flags.newIdentity) return `${identity.slug} stays behind; it gets one of its own`;
  return `${identity.slug} at ${identity.serverUrl}, ${vouched[identity.vouchedBy]}`;
}

const quote = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 6);

function describeAgent(agent: IncomingAgent, flags: ImportFlags): string[] {
  if (agent.displayName === '') return [agent.id, `  Problem      ${shown(agent.problem)}`];
  const { runtime } = agent;
  const rows: [string, string][] = [
    ['Name', agent.displayName],
    ['Role', agent.role || '(none)'],
    ...quote(agent.soul).map((line, index): [string, string] => [index === 0 ? 'Soul' : '', line]),
    ['Thinks with', [runtime.kind, runtime.provider, runtime.model].filter(Boolean).join(', ')],
    ['Tools', agent.tools.join(', ')],
    ['Answers', agent.triggers.join(', ')],
    ['Files', `${agent.files}, ${sizeOf(agent.bytes)}; ${agent.notes} notes`],
    ['Identity', identityWords(agent, flags)],
    ['API key', agent.apiKey ? 'one of its own comes along' : 'none'],
  ];
  for (const permission of agent.permissions) rows.push([flags.trust ? 'It' : 'Taken away', permission]);
  for (const path of agent.left.slice(0, 5)) rows.push(['Left out', path]);
  if (agent.problem !== '' && flags.as === undefined) rows.push(['Problem', shown(agent.problem)]);
  return [agent.id, ...rows.map(([name, value]) => `  ${name.padEnd(12)} ${value}`)];
}

function describeReview(review: ImportReview, flags: ImportFlags): string {
  const lines = review.agents.flatMap((agent) => describeAgent(agent, flags));
  for (const { slug, type, use } of review.identities) lines.push(`${slug} (${type}) ${shown(use)}`);
  if (review.providerKeys.length > 0)
    lines.push(`API keys for ${review.providerKeys.join(', ')} come along.`);
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
    throw usageError('Kennel can ask only in a terminal.', 'Look at what it holds, then add --yes.');
  if (!(await askYes('Take this in?')))
    throw new CommandFailure({ code: 'cancelled', message: 'Nothing was imported.' });
}

async function runImport(args: readonly string[], flags: ImportFlags): Promise<number> {
  const path = resolve(args[0] ?? '');
  let passphrase = await bundlePassphrase(flags);
  return withHost('files', async ({ call, client }) => {
    const ref = () => (passphrase === undefined ? { path } : { path, passphrase });
    const looked = await client.call('bundles.review', ref());
    if (!looked.ok && looked.error.code === 'locked' && passphrase === undefined && canAsk()) {
      passphrase = await askSecret('Passphrase of the bundle: ');
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
  summary: 'of an encrypted bundle: "-" reads standard input, the flag alone asks',
};

export const exportCommand = defineCommand({
  verb: 'export',
  args: '<agent> <dest>',
  summary: 'Write an agent to a file or folder',
  progress: 'Exporting',
  options: [
    passphraseOption,
    { flags: '--folder', summary: 'write a folder instead of a zip archive' },
    { flags: '--force', summary: 'replace a file of that name' },
  ],
  examples: [
    ['agent export guide guide.puffoagent', 'Write an encrypted bundle with its keys'],
    ['agent export guide guide.zip', 'Write an archive without secrets'],
    ['agent export guide ./guide --folder', 'Write a folder without secrets'],
  ],
  run: runExport,
});

export const registerCommand = defineCommand({
  verb: 'register',
  args: '<agent>',
  summary: 'Give an agent an identity at your server',
  progress: 'Registering',
  examples: [
    ['agent register helper', 'Register an agent that has no identity'],
    ['agent register helper --json', 'Print the agent as JSON'],
    ['agent show helper', 'See its handle afterwards'],
  ],
  run: runRegister,
});

export const importCommand = defineCommand({
  verb: '',
  args: '<path>',
  summary: 'Import agents from a bundle, a zip, a folder or a puffo-agent home',
  progress: 'Importing',
  options: [
    passphraseOption,
    { flags: '--review', summary: 'only show what it contains' },
    { flags: '--yes', summary: 'do not ask' },
    { flags: '--only <ids>', summary: 'only these agents, separated by commas' },
    { flags: '--as <id>', summary: 'another id for the one agent' },
    { flags: '--trust', summary: 'also take its permissions, folders and model address' },
    { flags: '--new-identity', summary: 'leave its keys out and give it a new identity' },
  ],
  examples: [
    ['import guide.puffoagent --review', 'Show what a bundle contains'],
    ['import guide.puffoagent', 'Import it after a question'],
    ['import ~/.puffo-agent --only guide,helper --yes', 'Import two agents of puffo-agent'],
  ],
  run: runImport,
});
