import { errorLines } from '../contract/error-text.ts';
import type { HostView } from '../contract/model.ts';
import { englishText } from '../language/host-message.ts';
import { dataFolder } from '../platform/data-folder.ts';
import { connectHost } from './host-client.ts';
import { printable, printableJson } from './visible-text.ts';

function describe(view: HostView): string {
  const lines = [
    `Kennel ${view.version} is ${view.state === 'ready' ? 'running' : view.state} (pid ${view.pid}).`,
  ];
  const row = (name: string, text: string): number => lines.push(`  ${name.padEnd(9)} ${text}`);
  row('Folder', view.home);
  if (view.operator) {
    const { displayName, slug, serverUrl, connection } = view.operator;
    row('You', `${displayName} (${slug}), ${connection}, at ${serverUrl}`);
  } else
    row(
      'You',
      view.firstRun
        ? 'nothing is set up yet; run "kennel start --demo" or "kennel operator sign-up"'
        : 'no operator',
    );
  if (view.relay.url) row('Relay', `embedded, ${view.relay.url}`);
  const { total, working, error } = view.agents;
  row('Agents', `${total} (${working} working, ${error} in error)`);
  row('Inbox', view.waiting === 0 ? "you're all caught up" : `${view.waiting} waiting for you`);
  row(
    'Secrets',
    view.vault.note === '' ? view.vault.kind : `${view.vault.kind}: ${englishText(view.vault.note)}`,
  );
  for (const problem of view.problems) row(problem.severity, errorLines(problem, ' '.repeat(12)));
  return lines.join('\n');
}

/** `kennel status`: exit code 0 with or without a running host. */
export async function runStatus(json: boolean): Promise<number> {
  const home = dataFolder(process.env);
  const client = await connectHost(home);
  if (!client) {
    const text = json
      ? JSON.stringify({ running: false, home })
      : `Kennel is not running in ${home}. Start it with "kennel start".`;
    process.stdout.write(`${text}\n`);
    return 0;
  }
  const answer = await client.call('host.view', {});
  client.close();
  if (!answer.ok) {
    process.stderr.write(
      json ? `${JSON.stringify({ error: answer.error })}\n` : `kennel: ${errorLines(answer.error)}\n`,
    );
    return 1;
  }
  process.stdout.write(
    `${json ? printableJson(JSON.stringify({ running: true, ...answer.value })) : printable(describe(answer.value))}\n`,
  );
  return 0;
}
