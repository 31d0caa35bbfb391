import type { HelpPart } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const approvals = {
  'approvals list': {
    summary: 'List open questions',
    options: {
      '--all': 'answered ones too',
      '--agent': 'only of this agent',
      '--limit': 'how many',
    },
    examples: [
      'List what waits for you',
      'List the last ten, answered ones too',
      'Print the questions of one agent as JSON',
    ],
  },
  'approvals show': {
    summary: 'Show a question with all its details',
    examples: ['Show a question by the beginning of its id', sharedExamples.itAsJson, sharedExamples.findId],
  },
  'approvals allow': {
    summary: 'Allow it once, or more often',
    options: {
      '--session': 'also similar calls until Kennel stops',
      '--exact': 'also exactly this call, always',
      '--pattern': 'also everything that matches its pattern, always',
    },
    examples: ['Allow it once', 'Allow similar calls until Kennel stops', 'Always allow exactly this'],
  },
  'approvals deny': {
    summary: 'Deny it and tell the agent why',
    examples: ['Deny it', 'Deny it with a reason', 'Print the decision as JSON'],
  },
  'approvals respond': {
    summary: 'Answer a workflow that asks for input, as JSON',
    examples: ['See the form of the answer', 'Answer it', 'Print the decision as JSON'],
  },
  'approvals settle': {
    summary: 'Say what became of an interrupted step of a workflow',
    examples: ['It happened: continue after it', 'It did not happen: do it again', 'End the run'],
  },
  'approvals grants': {
    summary: 'List standing permissions',
    options: {
      '--agent': 'only of this agent',
    },
    examples: ['List all permissions', 'List those of one agent', sharedExamples.themAsJson],
  },
  'approvals revoke': {
    summary: 'Remove a standing permission',
    examples: ['Remove a permission', sharedExamples.findId, sharedExamples.resultAsJson],
  },
  'policy test': {
    summary: 'Show how a file of rules would have decided recent calls',
    options: {
      '--days': 'how far back',
      '--agent': 'only calls of this agent',
    },
    examples: [
      'Test rules against the calls of 30 days',
      'Only one agent and one week',
      'Test the rules of an agent.yml',
    ],
  },
  'audit verify': {
    summary: 'Check that the audit log was not changed',
    examples: ['Check the log', sharedExamples.resultAsJson, 'React to a problem in a script'],
  },
  'audit show': {
    summary: 'Print the newest lines of the audit log',
    options: {
      '--agent': 'only of this agent',
      '--limit': 'how many',
    },
    examples: ['Print the last 50 lines', 'Print ten lines about one agent', sharedExamples.themAsJson],
  },
} as const satisfies HelpPart;
