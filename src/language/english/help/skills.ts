import type { HelpPart } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const skills = {
  'skills list': {
    summary: 'List skills, with their state and warnings',
    examples: ['List the skills for all agents', 'List those of one agent', sharedExamples.themAsJson],
  },
  'skills show': {
    summary: 'Print a skill with its files',
    options: { '--agent': 'as this agent has it' },
    examples: ['Print a skill for all agents', 'Print a skill of one agent', sharedExamples.itAsJson],
  },
  'skills install': {
    summary: 'Install skills from a folder, a zip or a git bundle',
    options: { '--agent': 'for this agent only', '--only': 'only these skills, separated by commas' },
    examples: [
      'Read the files, then install them for all agents',
      'Install two of the skills of a zip',
      'Install a git bundle for one agent without a question',
    ],
  },
  'skills update': {
    summary: 'Install a skill anew from where it came from',
    options: { '--agent': 'the one of this agent' },
    examples: [
      'Look at the difference, then install it',
      'Update the skill of one agent',
      'Update it without a question',
    ],
  },
  'skills remove': {
    summary: 'Delete an installed skill',
    options: { '--agent': 'the one of this agent' },
    examples: ['Delete a skill of all agents', 'Delete a skill of one agent', sharedExamples.resultAsJson],
  },
  'skills enable': {
    summary: 'Give an agent a skill',
    examples: ['See which skills it could have', 'Give it a skill of Kennel', sharedExamples.resultAsJson],
  },
  'skills disable': {
    summary: 'Take a skill from an agent',
    examples: ['See which skills it has', 'Take one from it', sharedExamples.resultAsJson],
  },
  'skills accept': {
    summary: 'Accept a skill of the workspace as it is now',
    examples: [
      'See which skills are not accepted',
      'Read the files, then accept them',
      'Accept them without a question',
    ],
  },
  'skills validate': {
    summary: 'Check a folder by the AgentSkills standard',
    examples: ['Check a folder', 'Check the folder you are in', sharedExamples.resultAsJson],
  },
} as const satisfies HelpPart;
