import type { HelpPart } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const system = {
  start: {
    summary: 'Run Kennel in this terminal',
    options: {
      '--demo': 'make the demo without asking',
      '--no-demo': 'start empty, without asking',
      '--no-web': 'do not serve the page on loopback',
    },
    examples: [
      'Run Kennel; the first time it asks how to begin',
      'Try it with two scripted agents',
      'Run it for a program, without demo and page',
    ],
  },
  stop: {
    summary: 'Stop the running Kennel',
    options: {
      '--timeout': 'how long to wait',
    },
    examples: [
      'Stop Kennel after its running steps',
      'Wait five seconds at most',
      sharedExamples.resultAsJson,
    ],
  },
  status: {
    summary: 'Show what is running',
    examples: ['Show the state of Kennel', sharedExamples.itAsJson, 'Print how many agents need you'],
  },
  open: {
    summary: 'Print a one-time link to the page',
    examples: ['Print a link', sharedExamples.itAsJson, 'Open it in a browser'],
  },
  unlock: {
    summary: 'Unlock the page and your secrets, or set the first passphrase',
    examples: ['Type the passphrase', 'Lock the page again', 'Take the passphrase from KENNEL_PASSPHRASE'],
  },
  lock: {
    summary: 'Lock the page in every browser; agents keep working',
    examples: ['Lock the page', 'Unlock it', 'Print how many browsers are signed in'],
  },
  'sign-out': {
    summary: 'End the sessions of all browsers',
    examples: ['Sign out of all browsers', 'Print a link to sign in again', 'Print how many were signed in'],
  },
  doctor: {
    summary: 'Check this computer and data folder',
    examples: ['Check everything', 'Print the checks as JSON', 'Print only problems'],
  },
  attach: {
    summary: 'Use the session of an agent in its program, in this terminal',
    examples: [
      'Go on with the session of guide',
      'List the programs of agents',
      'Read the output of a program',
    ],
  },
  'ps list': {
    summary: 'List the programs of agents that run now, with memory, processor time and files',
    examples: ['List them', sharedExamples.themAsJson, 'Stop one'],
  },
  'ps stop': {
    summary: 'Stop the program of an agent, with all its child processes; the next message starts it again',
    examples: ['Stop the program with this process id', 'List the process ids', 'Stop it in a script'],
  },
  'ps restart': {
    summary: 'Kill the program of an agent; its open turn goes on in a new process',
    examples: ['Restart the program with this process id', 'List the process ids', 'Restart it in a script'],
  },
  'ps logs': {
    summary: 'Print what the newest program of an agent wrote to standard error, without secrets',
    examples: ['Print the last lines', sharedExamples.itAsJson, 'Print the log of Kennel about the agent'],
  },
  'runtimes test': {
    summary:
      'Test what the installed version of a command line agent asks for, on a scripted model in an empty folder',
    examples: ['Test Claude Code', 'See the results', 'Test it in a script'],
  },
  'runtimes list': {
    summary: 'List the command line agents of this computer, with version and login',
    examples: [
      'List them, and how to install the others',
      sharedExamples.themAsJson,
      'Run an agent with one of them',
    ],
  },
  'images list': {
    summary: 'List the images in which command line agents run, and the container engines of this computer',
    examples: ['List them', sharedExamples.themAsJson, 'Run an agent in a container'],
  },
  'images build': {
    summary: 'Build the image of a command line agent, with Node.js from a registry and the program from npm',
    options: {
      '--base': 'image with Node.js and apt in place of the usual one',
      '--recipe': 'Containerfile in place of Kennel’s',
    },
    examples: [
      'Build the image of pi',
      'Begin with an image of your own',
      'Build it by a recipe of your own',
    ],
  },
  'images pull': {
    summary: 'Fetch an image from its registry',
    examples: ['Fetch it', 'Run an agent in it', 'Print the result as JSON'],
  },
  'images import': {
    summary: 'Read an image from a file, without a network',
    options: { '--name': 'the file is an archive of a root folder, and gets this name' },
    examples: [
      'Read a file of “docker save”',
      'Read an archive of a root folder',
      'Print the result as JSON',
    ],
  },
  config: {
    summary: 'Show or set the defaults of new agents',
    options: {
      '--default-provider': 'provider of agents that name none',
      '--provider': 'the provider of the next options',
      '--model': 'its default model',
      '--base-url': 'its address',
      '--api-key': 'its key: "-" reads standard input, the flag alone asks',
    },
    examples: [
      'Be asked for provider, key and model',
      'Store a key from a file',
      'Choose the default provider',
    ],
  },
  'config get': {
    summary: 'Print one setting',
    examples: [
      'Print the default provider',
      'Print the default model of a provider',
      'Print whether a key is stored',
    ],
  },
  'config set': {
    summary: 'Set one setting; a key is asked for or read from standard input',
    examples: [
      'Choose the default model of a provider',
      'Store a key from a file',
      'Set the quiet hours of Monday night; "none" removes them',
    ],
  },
  'config list': {
    summary: 'Print all settings that have a value',
    examples: ['Print all settings', sharedExamples.themAsJson, 'Print the default models'],
  },
  'auth login': {
    summary: 'Log in, or give a key if the provider has no login',
    options: {
      '--device': 'with a code to type on another computer',
      '--api-key': 'give a key: "-" reads standard input, the flag alone asks',
    },
    examples: [
      'Log in with a browser, or be asked for a key',
      'Read a key from a file',
      'Log in with a code on another computer',
    ],
  },
  'auth status': {
    summary: 'List the providers and their keys or logins',
    examples: ['List all providers', sharedExamples.themAsJson, 'Print those that are ready'],
  },
  'auth logout': {
    summary: 'End the login and delete the key',
    examples: ['Delete the key of a provider', 'See the result', sharedExamples.resultAsJson],
  },
  logs: {
    summary: 'Print the log of Kennel, of all or of one agent',
    options: {
      '--follow': 'continue with new lines',
      '--lines': 'how many lines',
    },
    examples: ['Print the last 100 lines', 'Follow the lines about one agent', 'Print only errors'],
  },
  backup: {
    summary: 'Copy the whole data folder, also while Kennel runs',
    examples: ['Make a copy in your home folder', 'Choose the folder', 'Print only the folder'],
  },
  restore: {
    summary: 'Replace the data folder with a backup, while Kennel is stopped',
    examples: ['Restore a backup after a question', 'Restore it without a question', 'Stop Kennel first'],
  },
  'service install': {
    summary: 'Start Kennel with your login, also without a display',
    options: {
      '--print': 'only print what would be written',
      '--no-start': 'write it, but do not start it',
    },
    examples: [
      'Install and start the service',
      'Print the file for systemd or launchd',
      'Install it without starting it',
    ],
  },
  'service remove': {
    summary: 'Stop and remove the service',
    examples: [
      'Stop and remove the service',
      sharedExamples.resultAsJson,
      'Run Kennel in a terminal instead',
    ],
  },
  'demo remove': {
    summary: 'Delete everything the demo made',
    examples: ['Delete the demo after a question', 'Delete it in a script', 'Make a new demo'],
  },
  'check-update': {
    summary: 'Look for a newer version of Kennel',
    examples: [
      'Look for a newer version',
      sharedExamples.resultAsJson,
      'Print whether a newer version exists',
    ],
  },
  completion: {
    summary: 'Print the completion script of a shell',
    examples: [
      'Complete commands in bash',
      'Complete commands in zsh, if fpath has ~/.zfunc',
      'Complete commands in fish',
    ],
  },
  version: {
    summary: 'Print the version',
    examples: ['Print the version', sharedExamples.itAsJson, 'Print only the number'],
  },
} as const satisfies HelpPart;
