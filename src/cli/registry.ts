import type { CommandGroup, CommandSpec, Noun } from './command.ts';

// All commands of `kennel`, in the order of the overview. A test compares the verbs with the loaded commands.

type Row = readonly [name: Noun['name'], help: Noun['help'], verbs: string, load: Noun['load']];

const inGroup = (group: CommandGroup, rows: readonly Row[]): readonly Noun[] =>
  rows.map(([name, help, verbs, load]) => ({
    name,
    group,
    help,
    verbs: verbs === '' ? [] : verbs.split(' '),
    load,
  }));

const only = (load: () => Promise<CommandSpec>) => async () => [await load()];

const agents = inGroup('agents', [
  [
    'agent',
    'agents',
    'list show create edit profile runtime rename pause resume restart stop tools share register autoaccept export archive delete refresh-ping reset-primer',
    async () => (await import('./commands/agent.ts')).agentCommands,
  ],
  [
    'memory',
    'memory',
    'list show edit forget confirm history restore',
    async () => (await import('./commands/memory.ts')).memoryCommands,
  ],
  [
    'skills',
    'skills',
    'list show install update remove enable disable accept validate',
    async () => (await import('./commands/skills.ts')).skillsCommands,
  ],
  ['import', 'memory', '', only(async () => (await import('./commands/bundles.ts')).importCommand)],
]);

const chat = inGroup('chat', [
  [
    'chat',
    'chat',
    'send read retry new conversations rename archive unarchive remove react pin pins delete mute unmute',
    async () => (await import('./commands/chat.ts')).chatCliCommands,
  ],
  ['files', 'chat', 'get', only(async () => (await import('./commands/files.ts')).filesGetCommand)],
  ['search', 'chat', '', only(async () => (await import('./commands/search.ts')).searchCommand)],
  ['why', 'chat', '', only(async () => (await import('./commands/search.ts')).whyCommand)],
  ['missed', 'chat', '', only(async () => (await import('./commands/search.ts')).missedCommand)],
  [
    'space',
    'spaces',
    'list create rename archive unarchive members role remove leave hand-over link join',
    async () => [
      ...(await import('./commands/space.ts')).spaceCommands,
      ...(await import('./commands/space-links.ts')).spaceLinkCommands,
    ],
  ],
  [
    'channel',
    'spaces',
    'list create rename delete leave remove',
    async () => (await import('./commands/space-channels.ts')).channelCommands,
  ],
  ['invite', 'spaces', '', only(async () => (await import('./commands/space-invites.ts')).inviteCommand)],
  [
    'invites',
    'spaces',
    'accept reject sent cancel',
    async () => (await import('./commands/space-invites.ts')).invitesCommands,
  ],
  [
    'contacts',
    'people',
    'list accept block forget',
    async () => (await import('./commands/contacts.ts')).contactsCommands,
  ],
  [
    'peers',
    'people',
    'find show verify unverify list accept allow block forget hold',
    async () => (await import('./commands/peers.ts')).peersCommands,
  ],
]);

const work = inGroup('work', [
  [
    'task',
    'tasks',
    'add list show status logs stream run pause resume cancel retry fork settle change diff merge discard archive unarchive import',
    async () => (await import('./commands/task.ts')).taskCommands,
  ],
  ['workers', 'tasks', '', only(async () => (await import('./commands/task-log.ts')).workersCommand)],
  [
    'schedule',
    'schedules',
    'add list show change pause resume remove run put-away preview',
    async () => (await import('./commands/schedule.ts')).scheduleCommands,
  ],
  [
    'puppy',
    'puppy',
    'run resume cancel retry again list archive unarchive show log check graph doctor version',
    async () => {
      await import('./puppy/plain-schemas.ts');
      return (await import('./puppy/commands.ts')).puppyCommands;
    },
  ],
  ['agentd', 'work', '', only(async () => (await import('./commands/agentd.ts')).agentdCommand)],
  ['repl', 'work', '', only(async () => (await import('./commands/agentd.ts')).replCommand)],
  ['work', 'work', 'list show', async () => (await import('./commands/work.ts')).workCommands],
  ['undo', 'work', 'list show apply', async () => (await import('./commands/undo.ts')).undoCommands],
  [
    'snapshot',
    'work',
    'create list diff restore remove',
    async () => (await import('./commands/snapshot.ts')).snapshotCommands,
  ],
  ['usage', 'work', '', only(async () => (await import('./commands/usage.ts')).usageCommand)],
  ['budget', 'work', '', only(async () => (await import('./commands/usage.ts')).budgetCommand)],
]);

const approvals = inGroup('approvals', [
  [
    'approvals',
    'approvals',
    'list show allow deny respond settle grants revoke',
    async () => (await import('./commands/approvals.ts')).approvalsCommands,
  ],
  ['policy', 'approvals', 'test', only(async () => (await import('./commands/policy.ts')).policyTestCommand)],
  ['audit', 'approvals', 'verify show', async () => (await import('./commands/audit.ts')).auditCommands],
]);

const server = inGroup('server', [
  [
    'operator',
    'server',
    'sign-up resume show enrol approve devices revoke',
    async () => (await import('./commands/operator.ts')).operatorCommands,
  ],
  ['relay', 'server', 'invite', async () => (await import('./commands/relay.ts')).relayCommands],
  [
    'pairing',
    'server',
    'show open unpair',
    async () => (await import('./commands/bridge.ts')).pairingCommands,
  ],
  ['api', 'server', 'status data', async () => (await import('./commands/bridge.ts')).apiCommands],
  ['acp', 'server', '', only(async () => (await import('./commands/acp.ts')).acpCommand)],
  [
    'mcp',
    'server',
    'list add accept test inspect remove import',
    async () => [
      (await import('./commands/mcp.ts')).mcpCommand,
      ...(await import('./commands/mcp-servers.ts')).mcpServerCommands,
    ],
  ],
  ['proxy', 'server', 'token tokens revoke', async () => (await import('./commands/proxy.ts')).proxyCommands],
]);

const host = async () => import('./commands/host.ts');

const system = inGroup('system', [
  ['start', 'system', '', only(async () => (await import('./commands/start.ts')).startCommand)],
  ['stop', 'system', '', only(async () => (await host()).stopCommand)],
  ['status', 'system', '', only(async () => (await host()).statusCommand)],
  ['open', 'system', '', only(async () => (await host()).openCommand)],
  ['unlock', 'system', '', only(async () => (await host()).unlockCommand)],
  ['lock', 'system', '', only(async () => (await host()).lockCommand)],
  ['sign-out', 'system', '', only(async () => (await host()).signOutCommand)],
  ['doctor', 'system', '', only(async () => (await host()).doctorCommand)],
  ['attach', 'system', '', only(async () => (await import('./commands/attach.ts')).attachCommand)],
  ['ps', 'system', 'list stop restart logs', async () => (await import('./commands/ps.ts')).psCommands],
  ['runtimes', 'system', 'list test', async () => (await import('./commands/runtimes.ts')).runtimesCommands],
  [
    'images',
    'system',
    'list build pull import',
    async () => (await import('./commands/images.ts')).imageCommands,
  ],
  ['config', 'system', 'get set list', async () => (await import('./commands/config.ts')).configCommands],
  ['auth', 'system', 'login status logout', async () => (await import('./commands/auth.ts')).authCommands],
  ['logs', 'system', '', only(async () => (await import('./commands/logs.ts')).logsCommand)],
  ['backup', 'system', '', only(async () => (await import('./commands/backup.ts')).backupCommand)],
  ['restore', 'system', '', only(async () => (await import('./commands/backup.ts')).restoreCommand)],
  [
    'service',
    'system',
    'install remove',
    async () => (await import('./commands/service.ts')).serviceCommands,
  ],
  ['demo', 'system', 'remove', only(async () => (await host()).demoRemoveCommand)],
  ['check-update', 'system', '', only(async () => (await import('./commands/upkeep.ts')).checkUpdateCommand)],
  [
    'completion',
    'system',
    '',
    only(async () => (await import('./commands/completion.ts')).completionCommand),
  ],
  ['version', 'system', '', only(async () => (await import('./commands/version.ts')).versionCommand)],
]);

export const nouns: readonly Noun[] = [...agents, ...chat, ...work, ...approvals, ...server, ...system];
