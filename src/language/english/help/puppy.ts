import type { HelpPart } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

const fileOption = {
  '--file': 'the workflow file',
} as const;

export const puppy = {
  'puppy run': {
    summary: 'Run a workflow file, or a pipeline in quotes',
    options: {
      ...fileOption,
      '--arg': 'an argument of the workflow',
      '--args-json': 'all arguments as a JSON object',
      '--cwd': 'folder of the steps, below this one',
      '--dry-run': 'print the plan and run nothing',
      '--key': 'idempotency key: a second run with it is the first one',
      '--mode': 'print text for people or an envelope for programs',
      '--wait': 'wait for timers of any length',
    },
    examples: [
      'Run an example workflow by its name',
      'Print what a workflow file would do',
      'Run a pipeline',
    ],
  },
  'puppy resume': {
    summary: 'Answer a question of a run, or continue an interrupted run',
    options: {
      '--token': 'the question, by its token',
      '--id': 'the question, by its short id',
      '--approve': 'answer to an approval',
      '--decision': 'the same as --approve',
      '--reason': 'why not, with --approve no',
      '--response-json': 'answer to a request for input',
      '--answer': 'what became of a step that was interrupted',
      '--cancel': 'end the run that asks',
      '--mode': 'print text for people or an envelope for programs',
      '--wait': 'wait for timers of any length',
    },
    examples: ['Approve a question', 'Reject it and say why', 'Continue a run that was interrupted'],
  },
  'puppy cancel': {
    summary: 'End a run',
    examples: [
      'End a run by the beginning of its id',
      'Print the envelope of the cancelled run',
      'End a run of the folder ~/.puppy',
    ],
  },
  'puppy retry': {
    summary: 'Continue a failed run, or start another one from a step',
    options: {
      '--from': 'start another run at this step; without a step, list the steps that are possible',
      '--wait': 'wait for timers of any length',
    },
    examples: [
      'Continue a failed run at the step that failed',
      'List the steps from which it can start again',
      'Start another run at the step "build"',
    ],
  },
  'puppy again': {
    summary: 'Run the same workflow again as another run',
    options: {
      '--current': 'use its file as it is now',
      '--wait': 'wait for timers of any length',
    },
    examples: [
      'Repeat a run with the same file and arguments',
      'Repeat it with the changed file',
      'Print the envelope of the new run',
    ],
  },
  'puppy list': {
    summary: 'List runs and their open questions',
    options: {
      '--status': 'only runs in this state',
      '--archived': 'only archived runs',
      '--sort': 'the order',
      '--limit': 'how many',
    },
    examples: ['List the newest runs', 'List the runs that wait for an approval', 'Print five runs as JSON'],
  },
  'puppy archive': {
    summary: 'Move finished runs out of the lists; nothing is deleted',
    options: {
      '--older-than': 'all that ended earlier, for example 30d',
    },
    examples: ['Archive a run', 'Archive all that ended over a month ago', 'See the archive'],
  },
  'puppy unarchive': {
    summary: 'Bring archived runs back into the lists',
    examples: ['Bring a run back', 'Bring two back', 'Find their ids'],
  },
  'puppy show': {
    summary: 'Show a run with its steps, questions and decisions',
    options: {
      '--step': 'print the output of this step',
    },
    examples: ['Show a run', 'Print the output of the step "build"', 'Print all facts as JSON'],
  },
  'puppy log': {
    summary: 'Print or verify the history of a run',
    options: {
      '--verify': 'check that the history is complete; without a run, of all runs',
      '--export': 'write the history to a file',
    },
    examples: [
      'Print everything that happened in a run',
      'Check the histories of all runs',
      'Write the history to a file',
    ],
  },
  'puppy check': {
    summary: 'Check a workflow without running it',
    options: {
      ...fileOption,
    },
    examples: ['Check a workflow file', 'Check a pipeline', 'Print the findings as JSON'],
  },
  'puppy graph': {
    summary: 'Draw a workflow',
    options: {
      '--format': 'format of the picture',
      ...fileOption,
    },
    examples: ['Print a Mermaid diagram', 'Draw it in the terminal', 'Write a picture'],
  },
  'puppy doctor': {
    summary: 'Check that workflows can run here',
    examples: [
      'Check shell, folders and programs',
      'Print the checks as JSON',
      'Check the folder ~/.puppy, even while Kennel runs',
    ],
  },
  'puppy version': {
    summary: 'Print the version',
    examples: ['Print the version', sharedExamples.itAsJson, 'Print the version of Kennel'],
  },
} as const satisfies HelpPart;
