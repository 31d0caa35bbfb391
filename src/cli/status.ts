import type { HostView } from '../contract/model.ts';
import { dataFolder } from '../platform/data-folder.ts';
import { copy, loadLanguage, shown, shownError } from './copy.ts';
import { connectHost } from './host-client.ts';
import { jsonText } from './json-text.ts';
import { printable } from './visible-text.ts';

const vaults = {
  keychain: 'cliStatus.vault_keychain',
  passphrase: 'cliStatus.vault_passphrase',
  'demo-file': 'cliStatus.vault_demo_file',
  none: 'cliStatus.vault_none',
} as const;

function youText({ operator, firstRun }: HostView): string {
  if (!operator) return copy(firstRun ? 'cliStatus.notSetUp' : 'cliStatus.noOperator');
  const { displayName: name, slug, serverUrl, connection } = operator;
  return copy('cliStatus.youAt', {
    name,
    slug,
    connection: copy(`cliStatus.connection_${connection}`),
    serverUrl,
  });
}

function describe(view: HostView): string {
  const { version, pid, state, relay, agents, waiting, vault } = view;
  const secrets = copy(vaults[vault.kind]);
  const rows = [
    [copy('cliStatus.folder'), view.home],
    [copy('cliStatus.you'), youText(view)],
    ...(relay.url ? [[copy('cliStatus.relay'), copy('cliStatus.embeddedRelay', { url: relay.url })]] : []),
    [copy('cliStatus.agents'), copy('cliStatus.agentCounts', agents)],
    [
      copy('cliStatus.inbox'),
      waiting === 0 ? copy('cliStatus.caughtUp') : copy('cliStatus.waitingForYou', { count: waiting }),
    ],
    [copy('cliStatus.secrets'), vault.note === '' ? secrets : `${secrets}: ${shown(vault.note)}`],
    ...view.problems.map((problem) => [
      copy(`cliStatus.severity_${problem.severity}`),
      shownError(problem, ' '.repeat(12)),
    ]),
  ];
  const width = Math.max(9, ...rows.map(([name = '']) => name.length));
  const lines = rows.map(([name = '', text = '']) => `  ${name.padEnd(width)} ${text}`);
  return [copy(`cliStatus.state_${state}`, { version, pid }), ...lines].join('\n');
}

/** `kennel status`: exit code 0 with or without a running host. */
export async function runStatus(json: boolean): Promise<number> {
  await loadLanguage(process.env);
  const home = dataFolder(process.env);
  const client = await connectHost(home);
  if (!client) {
    const text = json ? JSON.stringify({ running: false, home }) : copy('cliStatus.notRunning', { home });
    process.stdout.write(`${text}\n`);
    return 0;
  }
  const answer = await client.call('host.view', {});
  client.close();
  if (!answer.ok) {
    process.stderr.write(
      json ? `${JSON.stringify({ error: answer.error })}\n` : `kennel: ${shownError(answer.error)}\n`,
    );
    return 1;
  }
  process.stdout.write(
    `${json ? jsonText({ running: true, ...answer.value }) : printable(describe(answer.value))}\n`,
  );
  return 0;
}
