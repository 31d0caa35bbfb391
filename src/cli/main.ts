import { Command, CommanderError } from 'commander';
import type { AppError } from '../contract/errors.ts';
import { act } from './act.ts';
import { addBridgeCommands } from './bridge-commands.ts';
import { addConsentCommands } from './consent-commands.ts';
import { tellFailure } from './failure.ts';
import { addHistoryCommands } from './history-commands.ts';
import { addContactCommands, addOperatorCommands, addPeerCommands } from './identity-commands.ts';
import { addModelCommands } from './model-commands.ts';
import { addAgentOperations, addOperationCommands } from './operation-commands.ts';
import { addScheduleCommands } from './schedule-commands.ts';
import { addAgentSpaceCommands, addSpaceCommands } from './space-commands.ts';
import { addTaskCommands } from './task-commands.ts';
import { exitOk, exitUsage, showFailure } from './terminal.ts';
import { addWorkCommands } from './work-commands.ts';

// Every command of `kennel` with its flags. The code of a command is loaded when it runs.

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

function addProfileFlags(command: Command): Command {
  return command
    .option('--display-name <name>', 'the name people see')
    .option('--avatar <file>', 'a picture, at most 4 MiB')
    .option('--role <text>', 'what the agent is for, at most 140 characters')
    .option('--role-short <word>', 'the role in a word, at most 32 characters')
    .option('--soul <file>', 'a Markdown file with its character');
}

function addHostCommands(program: Command, exit: { code: number }): void {
  const start = program.command('start').description('start Kennel here, in the foreground');
  start
    .option('--demo', 'take "Try it now" without asking')
    .option('--no-demo', 'start empty, without asking')
    .option('--no-web', 'do not serve the page on loopback');
  act(start, exit, async () => (await import('./commands/start.ts')).runStart);
  const stop = program.command('stop').description('stop the running host');
  stop.option('--timeout <seconds>', 'how long to wait', '60');
  act(stop, exit, async () => (await import('./commands/host.ts')).runStop);
  act(
    program.command('status').description('what is running'),
    exit,
    async () => (await import('./commands/host.ts')).runStatusCommand,
  );
  act(
    program.command('open').description('print a one-time link to the page'),
    exit,
    async () => (await import('./commands/host.ts')).runOpen,
  );
  act(
    program.command('unlock').description('unlock the page, and open the secrets with your passphrase'),
    exit,
    async () => (await import('./commands/host.ts')).runUnlock,
  );
  act(
    program.command('lock').description('lock the page in every browser; agents keep working'),
    exit,
    async () => (await import('./commands/host.ts')).runLock,
  );
  act(
    program.command('sign-out').description('end the sessions of all browsers'),
    exit,
    async () => (await import('./commands/host.ts')).runSignOut,
  );
  act(
    program.command('doctor').description('check this machine and this folder'),
    exit,
    async () => (await import('./commands/host.ts')).runDoctor,
  );
  const demo = program.command('demo').description('the built-in demo');
  act(
    demo.command('remove').description('delete everything the demo made'),
    exit,
    async () => (await import('./commands/host.ts')).runDemoRemove,
  );
  const config = program.command('config').description('show or set the defaults for new agents');
  config
    .option('--default-provider <name>', 'provider of agents that name none')
    .option('--provider <name>', 'the provider the next flags are about')
    .option('--model <name>', 'its default model')
    .option('--base-url <url>', 'its address')
    .option('--api-key [key]', 'its key: "-" reads standard input, the flag alone asks');
  act(config, exit, async () => (await import('./commands/config.ts')).runConfig);
}

const addKeepIdentity = (command: Command): Command =>
  command.option('--keep-identity', 'it goes on elsewhere: do not leave spaces, do not end its identity');

function addAgentMakers(agent: Command, exit: { code: number }): void {
  const create = addProfileFlags(agent.command('create [id]').description('make an agent'));
  create
    .option('--id <id>', 'its id: the name of its folder')
    .option('--profile <file>', 'its whole profile.md')
    .option('--runtime <kind>', 'how it thinks: chat-local, sdk-local, cli-local or cli-docker')
    .option('--provider <name>', 'model provider')
    .option('--model <name>', 'model')
    .option('--base-url <url>', 'address of an OpenAI-compatible server')
    .option('--api-key [key]', 'key: "-" reads standard input, the flag alone asks')
    .option('--harness <name>', 'for the CLI kinds')
    .option('--server <url>', 'its Puffo server')
    .option('--no-register', 'only make the files')
    .option('--no-mention', 'do not react to mentions')
    .option('--no-dm', 'do not react to direct messages');
  act(create, exit, async () => (await import('./commands/agent-create.ts')).runCreate);
  const edit = addProfileFlags(
    agent.command('edit <id>').description('change an agent; without flags, agent.yml in your editor'),
  );
  act(edit, exit, async () => (await import('./commands/agent-edit.ts')).runEdit);
  const profile = addProfileFlags(
    agent.command('profile <id>').description('show or change how an agent presents itself'),
  );
  act(profile, exit, async () => (await import('./commands/agent-edit.ts')).runProfile);
  const runtime = agent
    .command('runtime <id>')
    .description('show or change how an agent thinks and when it reacts');
  runtime
    .option('--kind <kind>', 'chat-local, sdk-local, cli-local or cli-docker')
    .option('--provider <name>', 'model provider')
    .option('--model <name>', 'model')
    .option('--base-url <url>', 'address of an OpenAI-compatible server')
    .option('--api-key [key]', 'key: "-" reads standard input, the flag alone asks')
    .option('--allowed-tools <patterns>', 'patterns, separated by commas outside brackets')
    .option('--docker-image <name>', 'image of cli-docker')
    .option('--permission-mode <mode>', 'permission mode')
    .option('--max-turns <number>', 'at least 1')
    .option('--context-window <tokens>', 'window of its model; "auto" for what the provider says')
    .option('--max-output <tokens>', 'longest answer of its model, or "auto"')
    .option('--temperature <number>', '0 to 2, or "auto"')
    .option('--native-tools <on|off|auto>', 'off: its model writes tool calls into its text')
    .option('--price <in,out>', 'dollars per million tokens, also of cache reads and writes; or "auto"')
    .option('--harness <name>', 'for the CLI kinds')
    .option('--on-mention <on|off>', 'react when mentioned')
    .option('--on-dm <on|off>', 'react to direct messages')
    .option('--hold-first-contact <on|off>', 'direct messages of unknown people wait for your yes')
    .option(
      '--channel <id=all|unaddressed|mention|never>',
      'a channel of its own rule; repeatable',
      collect,
      [],
    );
  act(runtime, exit, async () => (await import('./commands/agent-runtime.ts')).runRuntime);
}

function addAgentCommands(program: Command, exit: { code: number }): void {
  const agent = program.command('agent').description('the agents of this folder');
  addAgentMakers(agent, exit);
  act(
    agent.command('list').description('all agents'),
    exit,
    async () => (await import('./commands/agent.ts')).runList,
  );
  act(
    agent.command('show <id>').description('one agent'),
    exit,
    async () => (await import('./commands/agent.ts')).runShow,
  );
  act(
    agent.command('rename <id> <name>').description('change the name people see'),
    exit,
    async () => (await import('./commands/agent.ts')).runRename,
  );
  for (const verb of ['pause', 'resume', 'restart', 'archive'] as const) {
    const command = agent.command(`${verb} <id>`).description(`${verb} an agent`);
    if (verb === 'archive') addKeepIdentity(command);
    act(command, exit, async () => (await import('./commands/agent.ts')).runVerb(verb));
  }
  act(
    agent.command('stop <id>').description('end what an agent is doing now'),
    exit,
    async () => (await import('./commands/agent-work.ts')).runStop,
  );
  act(
    agent.command('tools <id>').description('which tools an agent has, and why'),
    exit,
    async () => (await import('./commands/agent-work.ts')).runTools,
  );
  const share = agent
    .command('share <id>')
    .description('what an agent may tell whom without asking; without flags, what it may now');
  share
    .option('--with <room>', '#channel, space/#channel, @person or room id')
    .option(
      '--what <list>',
      'workspace, notes, tasks, workflows, settings, chat, #channel, @person; commas between',
      'workspace',
    )
    .option('--list', 'what it may tell now')
    .option('--revoke <grant>', 'take one back');
  act(share, exit, async () => (await import('./commands/agent-share.ts')).runShare);
  const remove = agent.command('delete <id>').description('delete an agent and all its files');
  addKeepIdentity(remove.option('--yes', 'do not ask'));
  act(remove, exit, async () => (await import('./commands/agent.ts')).runDelete);
  addAgentOperations(agent, exit);
  addAgentSpaceCommands(agent, exit);
}

function addChatCommands(program: Command, exit: { code: number }): void {
  const chat = program.command('chat').description('talk to your agents');
  const send = chat.command('send [text...]').description('send a message, files, or both');
  send
    .requiredOption('--to <whom>', 'agent id, slug, display name, #channel, space/#channel or room id')
    .option('--thread <message>', 'answer in the thread of this message')
    .option('--attach <file>', 'a file to go with it, at most 8 MiB; repeatable, up to 10', collect, [])
    .option('--wait [seconds]', 'wait for an answer and print it');
  act(send, exit, async () => (await import('./commands/chat.ts')).runSend);
  act(
    chat.command('retry <message>').description('send a message that failed again'),
    exit,
    async () => (await import('./commands/chat.ts')).runRetry,
  );
  const read = chat.command('read [room]').description('read a room; without one, list the rooms');
  read
    .option('--limit <number>', 'how many messages', '50')
    .option('--before <message>', 'older than this message')
    .option('--ids', 'with the id of each message')
    .option('--server', 'what the server sees instead');
  act(read, exit, async () => (await import('./commands/chat.ts')).runRead);
  const files = program.command('files').description('files that came with messages');
  const get = files
    .command('get <message> [number]')
    .description('save the files of a message, or one of them; nothing is overwritten');
  get.option('--out <path>', 'a folder, or the name for one file');
  act(get, exit, async () => (await import('./commands/files.ts')).runFilesGet);
}

function addMemoryCommands(program: Command, exit: { code: number }): void {
  const memory = program.command('memory').description("an agent's notes");
  const load = async () => import('./commands/memory.ts');
  act(
    memory.command('list <agent>').description('all notes of an agent'),
    exit,
    async () => (await load()).runMemoryList,
  );
  act(
    memory.command('show <agent> <note>').description('one note'),
    exit,
    async () => (await load()).runMemoryShow,
  );
  const edit = memory
    .command('edit <agent> <note>')
    .description('change a note, or begin one, in your editor');
  edit.option('--file <file>', 'take the text from here instead; "-" reads standard input');
  act(edit, exit, async () => (await load()).runMemoryEdit);
  act(
    memory.command('forget <agent> <note>').description('drop a note; its history is kept'),
    exit,
    async () => (await load()).runMemoryForget,
  );
  const confirm = memory
    .command('confirm <agent> <note>')
    .description('trust lines that the agent wrote beside untrusted content');
  confirm.option('--delete', 'take these lines out instead').option('--yes', 'do not ask');
  act(confirm, exit, async () => (await load()).runMemoryConfirm);
  act(
    memory.command('history <agent> <note>').description('the versions of a note'),
    exit,
    async () => (await load()).runMemoryHistory,
  );
  act(
    memory.command('restore <agent> <note> <version>').description('make an older version the note again'),
    exit,
    async () => (await load()).runMemoryRestore,
  );
}

function addUsageCommands(program: Command, exit: { code: number }): void {
  const used = program.command('usage [agent]').description('what agents used and cost; without one, all');
  used.option('--days <number>', 'how many days back, up to 366', '30');
  act(used, exit, async () => (await import('./commands/usage.ts')).runUsage);
  const budget = program
    .command('budget [agent]')
    .description('show or set what may be spent; without an agent, by all together');
  budget
    .option('--usd-per-day <sum>', 'US dollars in a day; "none" takes the limit away')
    .option('--usd-per-month <sum>', 'US dollars in a month')
    .option('--tokens-per-day <number>', 'tokens in a day')
    .option('--tokens-per-month <number>', 'tokens in a month');
  act(budget, exit, async () => (await import('./commands/usage.ts')).runBudget);
}

function addRelayCommands(program: Command, exit: { code: number }): void {
  // Flags after `invite` belong to the sub-command, not to the relay.
  const relay = program
    .command('relay')
    .description('run the team server of your own')
    .enablePositionalOptions();
  relay
    .option('--data <folder>', 'where it keeps its data')
    .option('--listen <host:port>', 'address to listen on', '127.0.0.1:63390')
    .option('--host <name>', 'a name by which it is reached; others are refused; repeatable', collect, [])
    .option('--max-agents <n>', 'agents of one operator (default 2000)')
    .option('--max-spaces <n>', 'spaces of one operator and their agents (default 200)')
    .option('--max-files <n>', 'files of one operator and their agents (default 20000)')
    .option('--max-file-mib <n>', 'MiB of files of one operator and their agents (default 4096)');
  act(relay, exit, async () => (await import('./commands/relay.ts')).runRelay);
  const invite = relay.command('invite').description('make an invite code');
  invite.option('--data <folder>', 'data folder of the relay; else the embedded one');
  act(invite, exit, async () => (await import('./commands/relay.ts')).runInvite);
}

/** Commander's error message as an `AppError`. */
const usageError = ({ message }: CommanderError): AppError => ({
  code: 'invalid_input',
  message: message.replace(/^error: /, ''),
  hint: 'Run with --help to see what is possible.',
});

/** All commands; with `json` the caller prints usage errors. */
export function buildProgram(version: string, exit: { code: number }, json: boolean): Command {
  const program = new Command('kennel')
    .description('Supervises your agents and joins them to the Puffo team chat, end-to-end encrypted.')
    .version(version, '-V, --version')
    .showHelpAfterError('Run with --help to see what is possible.')
    .enablePositionalOptions()
    .exitOverride();
  // The caller prints the error once, as JSON.
  if (json) program.configureOutput({ outputError: () => undefined }).showHelpAfterError(false);
  addHostCommands(program, exit);
  act(
    program.command('version').description('the version'),
    exit,
    async () => async (_args, options: { json?: boolean }) => {
      process.stdout.write(`${options.json ? JSON.stringify({ version }) : `kennel ${version}`}\n`);
      return exitOk;
    },
  );
  addOperatorCommands(program, exit);
  addPeerCommands(program, exit);
  addContactCommands(program, exit);
  addAgentCommands(program, exit);
  addChatCommands(program, exit);
  addSpaceCommands(program, exit);
  addMemoryCommands(program, exit);
  addUsageCommands(program, exit);
  addModelCommands(program, exit);
  addBridgeCommands(program, exit);
  addConsentCommands(program, exit);
  addRelayCommands(program, exit);
  addOperationCommands(program, exit);
  addHistoryCommands(program, exit);
  addWorkCommands(program, exit);
  addTaskCommands(program, exit);
  addScheduleCommands(program, exit);
  return program;
}

/** Runs one command and returns the exit code: 0 done, 1 failed, 2 wrong usage or unknown agent. */
export async function runMain(argv: readonly string[], version: string): Promise<number> {
  const exit = { code: exitOk };
  const json = argv.includes('--json');
  const program = buildProgram(version, exit, json);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exit.code;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitOk;
      if (json && error.code !== 'commander.help') showFailure(true, usageError(error), exitUsage);
      return exitUsage;
    }
    return tellFailure(error, json);
  }
}
