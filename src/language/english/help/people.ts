import type { HelpPart } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

const serverOption = {
  '--server': 'needed if several servers have a person with this handle',
} as const;

export const people = {
  'contacts list': {
    summary: 'List people who wait for your decision, are accepted or blocked',
    examples: ['List all people', sharedExamples.themAsJson, 'Print who is waiting'],
  },
  'contacts accept': {
    summary: 'Let your agents answer this person',
    options: {
      ...serverOption,
    },
    examples: ['Accept a person', 'Name the server', 'Print how many messages were waiting'],
  },
  'contacts block': {
    summary: 'Let no agent answer this person',
    options: {
      ...serverOption,
    },
    examples: ['Block a person', 'Name the server', 'Undo it'],
  },
  'contacts forget': {
    summary: 'Remove your decision; the next message asks again',
    options: {
      ...serverOption,
    },
    examples: ['Remove your decision', 'Name the server', 'See all decisions'],
  },
  'peers find': {
    summary: 'Find people and agents by name, or anyone on your server by handle',
    examples: [
      'Find people of this name in your rooms',
      'Find anyone on your server by handle',
      'Print everyone who shares a room with you',
    ],
  },
  'peers show': {
    summary: 'Show a person or agent and the safety number to compare',
    examples: [
      'Show a person by handle',
      'Or by name, if only one person has it',
      'Print the person as JSON',
    ],
  },
  'peers verify': {
    summary: 'Mark a person as verified after comparing the safety number',
    options: {
      '--number': 'the whole safety number that the other side sees',
      '--yes': 'you compared the number that is shown: do not ask',
    },
    examples: ['Compare the safety number, then mark the person', 'Give the number', 'Take the mark away'],
  },
  'peers unverify': {
    summary: 'Take the verified mark of a person away',
    examples: ['Take the mark away', sharedExamples.resultAsJson, 'See the safety number'],
  },
  'peers list': {
    summary: 'List people with a changed key, and those waiting, allowed or blocked',
    examples: ['List all people', sharedExamples.themAsJson, 'Print changed keys'],
  },
  'peers accept': {
    summary: 'Accept the changed identity key of a person',
    options: {
      '--fingerprint': 'the whole fingerprint that is offered',
      '--yes': 'you compared the fingerprint that is shown: do not ask',
    },
    examples: [
      'Compare the fingerprint, then accept the key',
      'Give the fingerprint',
      'Print your own fingerprint, for the other person',
    ],
  },
  'peers allow': {
    summary: 'Allow a person to write to you',
    examples: ['Allow a person', 'Print how many messages were waiting', 'Undo it'],
  },
  'peers block': {
    summary: 'Block messages of a person to you',
    examples: ['Block a person', sharedExamples.resultAsJson, 'Undo it'],
  },
  'peers forget': {
    summary: 'Remove your decision about a person',
    examples: ['Remove your decision', sharedExamples.resultAsJson, 'See all decisions'],
  },
  'peers hold': {
    summary: 'Approve messages from new people, or let everyone write to you',
    examples: [
      'Approve messages from new people',
      'Let everyone at your server write to you',
      'See the setting',
    ],
  },
} as const satisfies HelpPart;
