import { grantRow } from '../approval-text.ts';
import { defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';

interface Flags {
  readonly json?: boolean;
  readonly with?: string;
  readonly what: string;
  readonly list?: boolean;
  readonly revoke?: string;
}

async function runShare(args: readonly string[], flags: Flags): Promise<number> {
  const [agent = ''] = args;
  const { with: room, revoke, list, json = false } = flags;
  if ([room, revoke, list].filter((flag) => flag !== undefined).length > 1)
    throw commandFailure('invalid_input', 'cliTerminal.oneOfFlags', { flags: '--with, --list, --revoke' });
  const what = flags.what.split(',').map((one) => one.trim());
  return withHost('running-host', async ({ call }) => {
    if (revoke !== undefined) {
      await call('grants.revoke', { id: revoke });
      show(json, { id: revoke }, copy('cliApprovals.revoked'));
    } else if (room !== undefined) {
      const { grant } = await call('grants.share', { agent, room, what });
      show(json, { grant }, copy('cliAgents.mayNow', { name: grant.agentName, rule: grant.rule }));
    } else {
      const { id } = await call('agents.get', { agent });
      const { grants } = await call('grants.list', { agent: id });
      const shares = grants.filter(({ tool }) => tool === 'share');
      show(json, { grants: shares }, shares.map(grantRow).join('\n') || copy('cliAgents.asksFirst'));
    }
    return exitOk;
  });
}

export const shareCommand = defineCommand({
  verb: 'share',
  args: '<agent>',
  summary: 'Show or set what an agent may tell a room without asking',
  options: [
    { flags: '--with <room>', summary: '#channel, Space/#channel, @person or room id' },
    {
      flags: '--what <list>',
      summary: 'workspace, notes, tasks, workflows, settings, chat, #channel, @person; with commas',
      fallback: 'workspace',
    },
    { flags: '--list', summary: 'list what it may tell' },
    { flags: '--revoke <grant>', summary: 'remove a permission' },
  ],
  examples: [
    ['agent share guide', 'List what it may tell'],
    ["agent share guide --with '#general' --what workspace,notes", 'Let it use files and notes in a channel'],
    ['agent share guide --revoke GRANT', 'Remove a permission'],
  ],
  run: runShare,
});
