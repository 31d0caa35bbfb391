import type { CommandGroup, CommandSpec, Noun } from './command.ts';

// All commands of `kennel`, in the order of the overview. A test compares the verbs with the loaded commands.

type Row = readonly [name: string, summary: string, verbs: string, load: Noun['load']];

const inGroup = (group: CommandGroup, rows: readonly Row[]): readonly Noun[] =>
  rows.map(([name, summary, verbs, load]) => ({
    name,
    group,
    summary,
    verbs: verbs === '' ? [] : verbs.split(' '),
    load,
  }));

const only = (load: () => Promise<CommandSpec>) => async () => [await load()];

const agents = inGroup('Agents', [
  [
    'agent',
    'Create, change and watch agents',
    'list show create edit profile runtime rename pause resume restart stop tools share register autoaccept export archive delete refresh-ping reset-primer',
    async () => (await import('./commands/agent.ts')).agentCommands,
  ],
  [
    'memory',
    'Read and change the notes of agents',
    'list show edit forget confirm history restore',
    async () => (await import('./commands/memory.ts')).memoryCommands,
  ],
  [
    'import',
    'Import agents from a file or folder',
    '',
    only(async () => (await import('./commands/bundles.ts')).importCommand),
  ],
]);

const chat = inGroup('Chat', [
  [
    'chat',
    'Send and read messages',
    'send read retry new conversations rename archive unarchive remove react pin pins delete mute unmute',
    async () => (await import('./commands/chat.ts')).chatCliCommands,
  ],
  [
    'files',
    'Save files of messages',
    'get',
    only(async () => (await import('./commands/files.ts')).filesGetCommand),
  ],
  ['search', 'Search messages', '', only(async () => (await import('./commands/search.ts')).searchCommand)],
  [
    'why',
    'Explain how each agent reacted to a message',
    '',
    only(async () => (await import('./commands/search.ts')).whyCommand),
  ],
  [
    'missed',
    'List unanswered messages to your agents',
    '',
    only(async () => (await import('./commands/search.ts')).missedCommand),
  ],
  [
    'space',
    'Manage spaces and their members',
    'list create rename archive unarchive members role remove leave hand-over link join',
    async () => [
      ...(await import('./commands/space.ts')).spaceCommands,
      ...(await import('./commands/space-links.ts')).spaceLinkCommands,
    ],
  ],
  [
    'channel',
    'Manage channels',
    'list create rename delete leave remove',
    async () => (await import('./commands/space-channels.ts')).channelCommands,
  ],
  [
    'invite',
    'Invite a person or an agent',
    '',
    only(async () => (await import('./commands/space-invites.ts')).inviteCommand),
  ],
  [
    'invites',
    'List and answer invitations',
    'accept reject sent cancel',
    async () => (await import('./commands/space-invites.ts')).invitesCommands,
  ],
  [
    'contacts',
    'Decide who may write to your agents',
    'list accept block forget',
    async () => (await import('./commands/contacts.ts')).contactsCommands,
  ],
  [
    'peers',
    'Find and verify people, decide who may write to you',
    'find show verify unverify list accept allow block forget hold',
    async () => (await import('./commands/peers.ts')).peersCommands,
  ],
]);

const work = inGroup('Work', [
  [
    'task',
    'Give agents tasks outside the chat',
    'add list show status logs stream run pause resume cancel retry fork settle change archive unarchive import',
    async () => (await import('./commands/task.ts')).taskCommands,
  ],
  [
    'workers',
    'Show or set how many tasks run at once',
    '',
    only(async () => (await import('./commands/task-log.ts')).workersCommand),
  ],
  [
    'schedule',
    'Manage schedules',
    'add list show change pause resume remove run put-away preview',
    async () => (await import('./commands/schedule.ts')).scheduleCommands,
  ],
  [
    'puppy',
    'Run workflows',
    'run resume cancel retry again list show log check graph doctor version',
    async () => {
      await import('./puppy/plain-schemas.ts');
      return (await import('./puppy/commands.ts')).puppyCommands;
    },
  ],
  [
    'work',
    'Show what agents did, turn by turn',
    'list show',
    async () => (await import('./commands/work.ts')).workCommands,
  ],
  [
    'undo',
    'Undo what agents changed in files',
    'list show apply',
    async () => (await import('./commands/undo.ts')).undoCommands,
  ],
  [
    'usage',
    'Show what agents used and cost',
    '',
    only(async () => (await import('./commands/usage.ts')).usageCommand),
  ],
  [
    'budget',
    'Show or set spending limits',
    '',
    only(async () => (await import('./commands/usage.ts')).budgetCommand),
  ],
]);

const approvals = inGroup('Approvals', [
  [
    'approvals',
    'Answer the questions of agents and workflows',
    'list show allow deny respond settle grants revoke',
    async () => (await import('./commands/approvals.ts')).approvalsCommands,
  ],
  [
    'policy',
    'Test rules about what agents may do',
    'test',
    only(async () => (await import('./commands/policy.ts')).policyTestCommand),
  ],
  [
    'audit',
    'Check and read the audit log',
    'verify show',
    async () => (await import('./commands/audit.ts')).auditCommands,
  ],
]);

const server = inGroup('Server', [
  [
    'operator',
    'Manage your account and its devices',
    'sign-up resume show enrol approve devices revoke',
    async () => (await import('./commands/operator.ts')).operatorCommands,
  ],
  [
    'relay',
    'Run your own team server',
    'invite',
    async () => (await import('./commands/relay.ts')).relayCommands,
  ],
  [
    'pairing',
    'Pair a web client that manages agents',
    'show open unpair',
    async () => (await import('./commands/bridge.ts')).pairingCommands,
  ],
  [
    'api',
    'Show the interfaces for programs on this computer',
    'status data',
    async () => (await import('./commands/bridge.ts')).apiCommands,
  ],
  [
    'mcp',
    'Let another program work as an agent, with MCP',
    '',
    only(async () => (await import('./commands/mcp.ts')).mcpCommand),
  ],
  [
    'proxy',
    'Share models with other computers',
    'token tokens revoke',
    async () => (await import('./commands/proxy.ts')).proxyCommands,
  ],
]);

const host = async () => import('./commands/host.ts');

const system = inGroup('System', [
  [
    'start',
    'Run Kennel in this terminal',
    '',
    only(async () => (await import('./commands/start.ts')).startCommand),
  ],
  ['stop', 'Stop the running Kennel', '', only(async () => (await host()).stopCommand)],
  ['status', 'Show what is running', '', only(async () => (await host()).statusCommand)],
  ['open', 'Print a one-time link to the page', '', only(async () => (await host()).openCommand)],
  ['unlock', 'Unlock the page and your secrets', '', only(async () => (await host()).unlockCommand)],
  ['lock', 'Lock the page in every browser', '', only(async () => (await host()).lockCommand)],
  ['sign-out', 'End the sessions of all browsers', '', only(async () => (await host()).signOutCommand)],
  ['doctor', 'Check this computer and data folder', '', only(async () => (await host()).doctorCommand)],
  [
    'ps',
    'Show the programs of agents that run now',
    'list stop',
    async () => (await import('./commands/ps.ts')).psCommands,
  ],
  [
    'runtimes',
    'List the command line agents of this computer',
    '',
    only(async () => (await import('./commands/runtimes.ts')).runtimesCommand),
  ],
  [
    'config',
    'Show or set the defaults of new agents',
    'get set list',
    async () => (await import('./commands/config.ts')).configCommands,
  ],
  [
    'auth',
    'Log in at model providers, or give a key',
    'login status logout',
    async () => (await import('./commands/auth.ts')).authCommands,
  ],
  ['logs', 'Print the log of Kennel', '', only(async () => (await import('./commands/logs.ts')).logsCommand)],
  [
    'backup',
    'Copy the whole data folder',
    '',
    only(async () => (await import('./commands/backup.ts')).backupCommand),
  ],
  [
    'restore',
    'Replace the data folder with a backup',
    '',
    only(async () => (await import('./commands/backup.ts')).restoreCommand),
  ],
  [
    'service',
    'Start Kennel with your login',
    'install remove',
    async () => (await import('./commands/service.ts')).serviceCommands,
  ],
  ['demo', 'Remove the demo', 'remove', only(async () => (await host()).demoRemoveCommand)],
  [
    'check-update',
    'Look for a newer version of Kennel',
    '',
    only(async () => (await import('./commands/upkeep.ts')).checkUpdateCommand),
  ],
  [
    'completion',
    'Print the completion script of a shell',
    '',
    only(async () => (await import('./commands/completion.ts')).completionCommand),
  ],
  [
    'version',
    'Print the version',
    '',
    only(async () => (await import('./commands/version.ts')).versionCommand),
  ],
]);

export const nouns: readonly Noun[] = [...agents, ...chat, ...work, ...approvals, ...server, ...system];
