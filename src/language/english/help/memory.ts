import type { HelpPart } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const memory = {
  'memory list': {
    summary: 'List the notes of an agent',
    examples: ['List all notes with size and date', sharedExamples.themAsJson, 'Print only their names'],
  },
  'memory show': {
    summary: 'Print a note',
    examples: ['Print the note "people"', 'Save it as a file', sharedExamples.itAsJson],
  },
  'memory edit': {
    summary: 'Change or create a note in your editor',
    options: {
      '--file': 'take the text from this file; "-" reads standard input',
    },
    examples: [
      'Edit the note "people" in $EDITOR',
      'Replace it with a file',
      'Read the text from standard input',
    ],
  },
  'memory forget': {
    summary: 'Remove a note and keep its history',
    examples: ['Remove the note "people"', 'See its versions afterwards', 'Bring a version back'],
  },
  'memory confirm': {
    summary: 'Trust lines that the agent wrote beside untrusted content',
    options: {
      '--delete': 'delete these lines instead',
    },
    examples: ['Look at the lines, then trust them', 'Delete the lines', 'Trust them without a question'],
  },
  'memory history': {
    summary: 'List the versions of a note',
    examples: ['List all versions', sharedExamples.themAsJson, 'Go back to version 3'],
  },
  'memory restore': {
    summary: 'Make an older version of a note the current one',
    examples: ['Find the version', 'Restore version 3', 'Restore it and print JSON'],
  },
  import: {
    summary: 'Import agents from a bundle, a zip, a folder or a puffo-agent home',
    options: {
      '--passphrase': 'of an encrypted bundle: "-" reads standard input, the flag alone asks',
      '--review': 'only show what it contains',
      '--only': 'only these agents, separated by commas',
      '--as': 'another id for the one agent',
      '--trust': 'also take its permissions, folders and model address',
      '--new-identity': 'leave its keys out and give it a new identity',
    },
    examples: [
      'Show what a bundle contains',
      'Import it after a question',
      'Import two agents of puffo-agent',
    ],
  },
} as const satisfies HelpPart;
