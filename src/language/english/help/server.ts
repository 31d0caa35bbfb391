import type { HelpPart } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const server = {
  'operator sign-up': {
    summary: 'Join a Puffo server with an invite code',
    options: {
      '--server': 'address of the server',
      '--invite': 'invite code: "-" reads standard input; otherwise it is asked for',
      '--username': 'the beginning of your handle',
    },
    examples: [
      'Join a server; Kennel asks for the invite code',
      'Read the invite code from a file',
      'Continue after an interruption',
    ],
  },
  'operator resume': {
    summary: 'Continue an interrupted sign-up',
    options: {
      '--drop': 'give it up and delete its keys',
    },
    examples: ['Continue the sign-up', 'Give it up', 'Print your handle as JSON'],
  },
  'operator show': {
    summary: 'Show your account and your fingerprint',
    examples: ['Show your account', sharedExamples.itAsJson, 'Print only your fingerprint'],
  },
  'operator enrol': {
    summary: 'Make this Kennel another device of your account',
    options: {
      '--server': 'address of the server',
      '--yes': 'do not ask whose device it becomes',
    },
    examples: ['Show a code for your other device', 'Enter it there', 'See all your devices'],
  },
  'operator approve': {
    summary: 'Enter the code shown on your new device',
    options: {
      '--yes': 'you compared the words: do not ask',
    },
    examples: ['Compare the words, then add the device', 'Add it without a question', 'See all your devices'],
  },
  'operator devices': {
    summary: 'List the devices of your account',
    examples: ['List all devices', sharedExamples.themAsJson, 'Revoke one'],
  },
  'operator revoke': {
    summary: 'Revoke a device of your account',
    examples: ['Revoke a lost device', 'Revoke it without a question', sharedExamples.findId],
  },
  relay: {
    summary: 'Run your own team server',
    options: {
      '--data': 'folder of its data',
      '--listen': 'address to listen on',
      '--host': 'a further name by which clients reach it; others are refused',
      '--max-agents': 'agents of one operator (default 2000)',
      '--max-spaces': 'spaces of one operator and their agents (default 200)',
      '--max-files': 'files of one operator and their agents (default 20000)',
      '--max-file-mib': 'MiB of these files (default 4096)',
      '--max-link-sign-ups': 'people who sign up by the invite links of one person (default 1000)',
    },
    examples: ['Run a server for this computer', 'Serve a network', 'Make an invite code for someone'],
  },
  'relay invite': {
    summary: 'Make an invite code',
    options: {
      '--data': 'data folder of the relay; default the embedded one',
    },
    examples: ['Make a code for the embedded relay', 'Make one for another relay', 'Print only the code'],
  },
  'pairing show': {
    summary: 'Show the paired device',
    examples: ['Show which device is paired', sharedExamples.itAsJson, 'End the pairing'],
  },
  'pairing open': {
    summary: 'Allow one device to pair for five minutes',
    options: {
      '--device': 'only this device; for clients that cannot send the code',
    },
    examples: ['Print the code for a device', 'Allow a certain device', 'Print address and code as JSON'],
  },
  'pairing unpair': {
    summary: 'End the pairing',
    examples: ['End the pairing', 'See the paired device first', 'Print the handle as JSON'],
  },
  'api status': {
    summary: 'Show where the bridge listens, and for which device',
    examples: ['Show the state of the bridge', sharedExamples.itAsJson, 'Print only its address'],
  },
  'api data': {
    summary: 'Print how a tool can read the messages of an agent',
    options: {
      '--tcp': 'on a port of this computer instead of a Unix socket',
    },
    examples: ['Print socket and token', 'Print address and token', sharedExamples.themAsJson],
  },
  acp: {
    summary: 'Speak ACP on standard input and output, as one agent',
    options: {
      '--agent': 'the agent that the editor talks to',
    },
    examples: [
      'The command to enter in the settings of an editor',
      'See which folders the agent may use',
      'List its conversations, also those of editors',
    ],
  },
  mcp: {
    summary: 'Speak MCP on standard input and output, as one agent',
    options: {
      '--agent': 'the agent that the program works as',
      '--http': 'print an address and a token for streamable HTTP instead',
    },
    examples: [
      'The command to enter in the settings of an MCP client',
      'Print address and token for HTTP',
      sharedExamples.themAsJson,
    ],
  },
  'mcp list': {
    summary: 'List the MCP servers of your agents',
    options: { '--agent': 'servers that this agent has' },
    examples: ['List the servers of all agents', 'List those of one agent', sharedExamples.themAsJson],
  },
  'mcp add': {
    summary: 'Add an MCP server: a program, or an address',
    options: {
      '--agent': 'for this agent alone',
      '--url': 'address of a server on the network',
      '--env': 'variable of the program',
      '--header': 'header of the requests',
      '--secret': 'variable or header whose value is asked for, and kept in the vault',
      '--allow-tool': 'a tool that agents get; "*" stands for any text',
      '--deny-tool': 'a tool that agents do not get',
      '--replace': 'in place of one of that name',
      '--yes': 'accept the command without a question',
    },
    examples: ['Add a program for all agents', 'Add an address for one agent', 'Keep a key in the vault'],
  },
  'mcp accept': {
    summary: 'Look at what a server would run, or at its changed tools, and accept it',
    options: {
      '--agent': 'a server of this agent',
      '--yes': 'without a question',
    },
    examples: ['Accept a server', 'Accept a server of one agent', 'Accept it in a script'],
  },
  'mcp test': {
    summary: 'Start an MCP server and list its tools',
    options: { '--agent': 'a server of this agent' },
    examples: ['Test a server', 'Test a server of one agent', 'Print the result as JSON'],
  },
  'mcp inspect': {
    summary: 'Show the tools, calls and log of an MCP server',
    options: { '--agent': 'a server of this agent' },
    examples: ['Show a server', 'Show a server of one agent', sharedExamples.itAsJson],
  },
  'mcp remove': {
    summary: 'Remove an MCP server',
    options: { '--agent': 'a server of this agent' },
    examples: ['Remove a server', 'Remove a server of one agent', 'Remove it in a script'],
  },
  'mcp import': {
    summary: 'Import MCP servers from the settings of claude, codex or vscode',
    options: {
      '--agent': 'for this agent alone',
      '--yes': 'without a question',
    },
    examples: ['Import the servers of Claude', 'Import from a certain file', 'Import in a script'],
  },
  'proxy token': {
    summary: 'Make a token for another computer; it is shown once',
    examples: ['Make a token', 'Print token and address as JSON', 'Revoke it'],
  },
  'proxy tokens': {
    summary: 'List all tokens',
    examples: ['List the names of all tokens', sharedExamples.themAsJson, 'Revoke one'],
  },
  'proxy revoke': {
    summary: 'Revoke a token',
    examples: ['Revoke the token of a computer', 'List all tokens', 'Revoke it in a script'],
  },
} as const satisfies HelpPart;
