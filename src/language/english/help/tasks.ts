import type { HelpPart } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

const placeOptions = {
  '--priority': 'higher goes first; default 0',
  '--due': 'not before: "2026-12-24 18:00", "in 2h", "tomorrow 9:00"; "none" for at once',
} as const;

export const tasks = {
  'task add': {
    summary: 'Add a task',
    options: {
      '--agent': 'the agent that does it; default any',
      ...placeOptions,
      '--key': 'idempotency key: a second task with it is the first one',
      '--to': 'post the result in this room',
      '--worktree': 'on: work in a git worktree of its own; default as the agent is set',
      '--wait': 'wait for its end and print the result',
    },
    examples: [
      'Add a task for any agent',
      'Wait for one agent and print the result',
      'Start later, with a spending limit',
    ],
  },
  'task list': {
    summary: 'List tasks',
    options: {
      '--status': 'only tasks in this state',
      '--project': 'only tasks of this project',
      '--agent': 'only tasks for this agent',
      '--text': 'only tasks with this text in goal, result or project',
      '--sort': 'the order; the latest or most comes last',
      '--archived': 'only archived tasks; --text searches them in any case',
      '--before': 'older than this task',
      '--limit': 'how many, at most 500',
    },
    examples: [
      'List the newest tasks',
      'List tasks that wait for you',
      'Print the tasks of one agent as JSON',
    ],
  },
  'task show': {
    summary: 'Show a task and its result',
    examples: ['Show task 12', 'Print all fields as JSON', 'Print only its result'],
  },
  'task status': {
    summary: 'Count the tasks in each state',
    examples: ['Count all tasks', 'Print the counts as JSON', 'Print how many wait for you'],
  },
  'task logs': {
    summary: 'Print what was done for a task, step by step',
    examples: ['Print all steps of task 12', sharedExamples.themAsJson, 'Follow a running task instead'],
  },
  'task stream': {
    summary: 'Follow a task to its end',
    examples: [
      'Print the steps of task 12 as they happen',
      'Print one JSON line per change',
      'Continue only if it succeeds',
    ],
  },
  'task run': {
    summary: 'Look for tasks now, or start one next',
    options: {
      '--task': 'start this one next, also before it is due',
      '--wait': 'follow it to its end',
    },
    examples: ['Look for tasks that are due', 'Start task 12 next', 'Start it and wait for its end'],
  },
  'task pause': {
    summary: 'Pause a task after its current step',
    examples: ['Pause task 12', 'Resume it', sharedExamples.taskAsJson],
  },
  'task resume': {
    summary: 'Resume a paused task',
    examples: ['Resume task 12', 'List paused tasks', sharedExamples.taskAsJson],
  },
  'task cancel': {
    summary: 'End a task now and keep what it did',
    examples: ['Cancel task 12', 'Continue it after all', sharedExamples.taskAsJson],
  },
  'task retry': {
    summary: 'Continue a failed task after its last step',
    examples: ['Continue task 12', 'List failed tasks', sharedExamples.taskAsJson],
  },
  'task fork': {
    summary: 'Add a task that begins after a step of another one',
    options: {
      '--after': 'the last step they share; 0 starts over',
    },
    examples: [
      'Start task 12 over as another task',
      'Continue after its third step',
      'Find the number of a step',
    ],
  },
  'task settle': {
    summary: 'Say whether an interrupted step happened',
    examples: [
      'Step 3 happened: continue after it',
      'Step 3 did not happen: do it again',
      'Look at the steps first',
    ],
  },
  'task change': {
    summary: 'Change a task that has not ended',
    options: {
      ...placeOptions,
    },
    examples: ['Start task 12 before others', 'Start it later', 'Remove its spending limit'],
  },
  'task diff': {
    summary: 'Show what a task changed in its git worktree',
    examples: ['Show the changes', sharedExamples.themAsJson, 'Merge them'],
  },
  'task merge': {
    summary: 'Merge the worktree of a task into the branch of the workspace',
    examples: ['Merge the changes of a task', 'See them first', sharedExamples.resultAsJson],
  },
  'task discard': {
    summary: 'Delete the worktree of a task and its branch',
    options: {
      '--yes': 'discard without a question',
    },
    examples: ['Discard the changes of a task', 'Discard them without a question', 'See them first'],
  },
  'task archive': {
    summary: 'Move finished tasks out of the lists; nothing is deleted',
    options: {
      '--older-than': 'all that ended earlier, for example 30d',
    },
    examples: ['Archive two tasks', 'Archive all that ended over a month ago', 'See the archive'],
  },
  'task unarchive': {
    summary: 'Bring archived tasks back into the lists',
    examples: ['Bring a task back', 'Bring two back', 'Find their numbers'],
  },
  'task import': {
    summary: 'Import the tasks.json of a Personal Agent, all of it or nothing',
    examples: ['Import all tasks of a file', sharedExamples.resultAsJson, 'See the imported tasks'],
  },
  workers: {
    summary: 'Show or set how many tasks run at once',
    options: {
      '--set': 'this many workers, at most 64; "auto" for the default',
      '--agent': 'with --concurrency',
      '--concurrency': 'tasks of that agent at once, at most 16',
    },
    examples: [
      'Show the workers and their tasks',
      'Run up to four tasks at once',
      'Run up to two tasks of one agent',
    ],
  },
} as const satisfies HelpPart;
