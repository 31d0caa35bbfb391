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
  options: [
    { flags: '--with <room>' },
    {
      flags: '--what <list>',
      fallback: 'workspace',
    },
    { flags: '--list' },
    { flags: '--revoke <grant>' },
  ],
  examples: [
    'agent share guide',
    "agent share guide --with '#general' --what workspace,notes",
    'agent share guide --revoke GRANT',
  ],
  run: runShare,
});
