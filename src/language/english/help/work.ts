import type { HelpPart } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

const turnOption = {
  '--turn': 'all changes of its turn or task',
} as const;

export const work = {
  agentd: {
    summary: 'Run the agents of a YAML file, which react to changed content',
    options: {
      '--poll-interval': 'seconds between two calls of a watched tool',
      '--json': 'print events as JSON lines, and read no messages',
    },
    examples: [
      'Run the agents, and talk to them',
      'Look for changes once a minute',
      'Run them for another program',
    ],
  },
  repl: {
    summary: 'Talk to one agent of a YAML file, without its subscriptions',
    options: {
      '--config': 'the YAML file',
    },
    examples: [
      'Talk to an agent of agentd.yaml',
      'Talk to an agent of another file',
      'Let the agents react, too',
    ],
  },
  'work list': {
    summary: 'List turns of all agents or of one, newest first',
    options: {
      '--in': 'only this room, by its id',
      '--state': 'running, waiting, held, done, silent, failed, stopped; several with commas',
      '--before': 'continue after the last page',
      '--limit': 'how many, at most 200',
    },
    examples: ['List the newest turns', 'List five turns of one agent', 'List turns without a result'],
  },
  'work show': {
    summary: 'Show a turn: requests, calls, questions and the answer',
    options: {
      '--raw': 'print its recorded events as JSON lines',
    },
    examples: ['Show a turn', 'Print its events as JSON lines', sharedExamples.itAsJson],
  },
  'undo list': {
    summary: 'List file changes of all agents or of one, newest first',
    options: {
      '--task': 'only the changes of this task',
      '--before': 'continue after the last page',
      '--limit': 'how many, at most 200',
    },
    examples: [
      'List the newest file changes',
      'List five changes of one agent',
      'List the changes of a task',
    ],
  },
  'undo show': {
    summary: 'Show a change as a diff',
    options: {
      ...turnOption,
    },
    examples: ['Show what a call changed', 'Show all changes of its turn', sharedExamples.itAsJson],
  },
  'undo apply': {
    summary: 'Restore the files as they were before a change',
    options: {
      ...turnOption,
      '--replace-changed': 'also files that changed since',
    },
    examples: [
      'Undo a change; keep files that changed since',
      'Undo all changes of its turn',
      'Also restore files that changed since',
    ],
  },
  'snapshot create': {
    summary: "Keep the present state of an agent's workspace",
    options: { '--agent': 'the agent', '--label': 'a name for it' },
    examples: ['Take a snapshot', 'Take one with a label', sharedExamples.itAsJson],
  },
  'snapshot list': {
    summary: 'List the snapshots of an agent, newest first',
    options: {
      '--agent': 'the agent',
      '--before': 'continue after the last page',
      '--limit': 'how many, at most 200',
    },
    examples: ['List the newest snapshots', 'List five of them', 'Print them as JSON'],
  },
  'snapshot diff': {
    summary: 'Show what changed since a snapshot',
    options: { '--agent': 'the agent', '--until': 'up to this later snapshot instead of now' },
    examples: ['Show what changed until now', 'Compare two snapshots', sharedExamples.itAsJson],
  },
  'snapshot restore': {
    summary: 'Restore a workspace to a snapshot, by label or id',
    options: { '--agent': 'the agent' },
    examples: [
      'Restore a snapshot; the state before is kept as one, too',
      'Restore one by its label',
      'Print the restored files as JSON',
    ],
  },
  'snapshot remove': {
    summary: 'Remove a snapshot; the files stay as they are',
    options: { '--agent': 'the agent' },
    examples: ['Remove a snapshot', 'Remove one by its label', sharedExamples.itAsJson],
  },
  usage: {
    summary: 'Show what agents used and cost',
    options: {
      '--days': 'how many days back, up to 366',
    },
    examples: ['Show the usage of all agents', 'Show one agent and one week', 'Print the spending of today'],
  },
  budget: {
    summary: 'Show or set spending limits of one agent or of all together',
    options: {
      '--usd-per-day': 'US dollars per day; "none" removes the limit',
      '--usd-per-month': 'US dollars per month',
      '--tokens-per-day': 'tokens per day',
      '--tokens-per-month': 'tokens per month',
    },
    examples: [
      'Show the limits of all agents together',
      'Limit the spending of all agents',
      'Remove a limit of one agent',
    ],
  },
} as const satisfies HelpPart;
