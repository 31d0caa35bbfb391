import type { HelpPart } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const agents = {
  'agent list': {
    summary: 'List all agents with their state',
    options: {
      '--state': 'only agents in this state',
      '--sort': 'the order; the latest or most comes first',
    },
    examples: ['List all agents', 'List agents that failed', 'Print the agent that spent the most today'],
  },
  'agent show': {
    summary: 'Show an agent',
    examples: ['Show an agent', 'Print all fields as JSON', 'Print its folder'],
  },
  'agent create': {
    summary: 'Create an agent',
    options: {
      '--id': 'its id, which is the name of its folder',
      '--profile': 'its whole profile.md',
      '--runtime': 'kind of its runtime',
      '--server': 'its Puffo server',
      '--no-register': 'only make the files',
      '--no-mention': 'do not react to mentions',
      '--no-dm': 'do not react to direct messages',
    },
    examples: [
      'Create an agent with the default model',
      'Choose the model, and be asked for the key',
      'Give it a character and a picture',
    ],
  },
  'agent edit': {
    summary: 'Edit the soul of an agent in your editor, or set parts of its profile',
    options: {
      '--config': 'edit its agent.yml instead',
    },
    examples: ['Edit its soul, the text in profile.md', 'Edit its agent.yml', 'Set parts without an editor'],
  },
  'agent profile': {
    summary: 'Show or set name, picture, role and soul of an agent',
    examples: ['Show the profile', 'Change the name', 'Replace the soul with a file'],
  },
  'agent runtime': {
    summary: 'Show or set the model of an agent and when it answers',
    options: {
      '--kind': 'kind of its runtime',
      '--allowed-tools': 'patterns, separated by commas outside brackets',
      '--docker-image': 'image of cli-docker',
      '--permission-mode':
        'of a program: bypassPermissions (asks as your rules say), acceptEdits, plan or dontAsk',
      '--max-turns': 'model requests in a turn of sdk-local, at least 1',
      '--context-window': 'window of its model; "auto" for that of the provider',
      '--max-output': 'longest answer of its model, or "auto"',
      '--temperature': '0 to 2, or "auto"',
      '--native-tools': 'off: its model writes tool calls into its text',
      '--price': 'dollars per million tokens, also of cache reads and writes; or "auto"',
      '--on-mention': 'answer when mentioned',
      '--on-dm': 'answer direct messages',
      '--hold-first-contact': 'approve direct messages from new people',
      '--channel': 'when it answers in this channel',
    },
    examples: ['Show the settings', 'Choose another model', 'Answer only in one channel'],
  },
  'agent rename': {
    summary: 'Change the name that people see',
    examples: ['Rename an agent', sharedExamples.agentAsJson, 'See all names'],
  },
  'agent pause': {
    summary: 'Pause agents',
    examples: ['Let an agent answer nothing', 'Pause two agents', sharedExamples.agentAsJson],
  },
  'agent resume': {
    summary: 'Resume paused agents',
    examples: ['Resume an agent', 'Resume two agents', sharedExamples.agentAsJson],
  },
  'agent restart': {
    summary: 'Restart an agent',
    examples: ['Restart an agent that failed', 'See why it failed', sharedExamples.agentAsJson],
  },
  'agent stop': {
    summary: 'End the current turn of an agent',
    examples: ['End what it is doing now', 'Let it answer nothing from now on', 'End its turn in a script'],
  },
  'agent tools': {
    summary: 'List the tools of an agent and why it has them',
    examples: ['List all tools', sharedExamples.themAsJson, 'Print the folders it may write in'],
  },
  'agent share': {
    summary: 'Show or set what an agent may tell a room without asking',
    options: {
      '--with': '#channel, Space/#channel, @person or room id',
      '--what': 'workspace, notes, tasks, workflows, settings, chat, #channel, @person; with commas',
      '--list': 'list what it may tell',
      '--revoke': 'remove a permission',
    },
    examples: ['List what it may tell', 'Let it use files and notes in a channel', 'Remove a permission'],
  },
  'agent register': {
    summary: 'Give an agent an identity at your server',
    examples: [
      'Register an agent that has no identity',
      sharedExamples.agentAsJson,
      'See its handle afterwards',
    ],
  },
  'agent autoaccept': {
    summary: 'Show or set whether the server accepts your invitations for an agent at once',
    options: {
      '--space': 'in this space',
      '--owner': 'invitations from you, its owner',
    },
    examples: ['Show the setting', 'Accept your invitations at once', 'Let the agent answer them'],
  },
  'agent export': {
    summary: 'Write an agent to a file or folder',
    options: {
      '--passphrase': 'of an encrypted bundle: "-" reads standard input, the flag alone asks',
      '--folder': 'write a folder instead of a zip archive',
      '--force': 'replace a file of that name',
    },
    examples: [
      'Write an encrypted bundle with its keys',
      'Write an archive without secrets',
      'Write a folder without secrets',
    ],
  },
  'agent archive': {
    summary: 'Archive agents: end their identities and keep their files',
    options: {
      '--keep-identity': 'it continues elsewhere: do not leave spaces, do not end its identity',
    },
    examples: ['Archive an agent', 'Archive two agents', 'Print the folder with its files'],
  },
  'agent delete': {
    summary: 'Delete an agent and all its files',
    options: {
      '--keep-identity': 'it continues elsewhere: do not leave spaces, do not end its identity',
    },
    examples: ['Delete an agent after a question', 'Delete it without a question', 'Keep its files instead'],
  },
  'agent refresh-ping': {
    summary: "Renew the login at an agent's model provider",
    examples: ['Renew the login', sharedExamples.resultAsJson, 'See all logins'],
  },
  'agent reset-primer': {
    summary: "Restore Kennel's own primer, the text that all agents read",
    examples: ['Restore the primer', 'Name an agent, as puffo-agent does', sharedExamples.resultAsJson],
  },
} as const satisfies HelpPart;
