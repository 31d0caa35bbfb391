import type { HelpPart } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

const startOptions = {
  '--at': 'once: "2026-12-24 18:00", "in 2h", "tomorrow 9:00"',
  '--cron': 'repeatedly: "0 9 * * 1-5" is 9:00, Monday to Friday',
  '--time-zone': 'of the expression; default that of this computer',
  '--file': 'when this file, or one in this folder, is made or changed',
  '--glob': 'only these files of a folder: "*.csv", "**/*.md"',
  '--watch': 'when this resource of an MCP server changes',
  '--server': 'the server of --watch: its name, or AGENT/NAME for a server of one agent',
  '--poll': 'how often a server without subscriptions is read; default 60s',
  '--rest': 'wait until nothing changed for this time; default 2s',
  '--task': 'start a task; {{path}} is the file, {{uri}} the resource that changed',
  '--agent': 'the agent that does it; default any',
  '--priority': 'higher goes first',
  '--to': 'post the result in this room',
  '--workflow': 'start a workflow instead',
  '--args': 'its arguments, as a JSON object',
} as const;

export const schedules = {
  'schedule add': {
    summary: 'Add a schedule',
    options: {
      ...startOptions,
      '--catch-up': 'run once for missed times; otherwise they are only listed',
    },
    examples: ['Start a task every weekday', 'Start a workflow once', 'Watch a folder'],
  },
  'schedule list': {
    summary: 'List all schedules',
    examples: ['List all schedules', sharedExamples.themAsJson, 'Print only their names'],
  },
  'schedule show': {
    summary: 'Show a schedule and its missed runs',
    examples: ['Show a schedule by its name', sharedExamples.itAsJson, 'Run a missed one'],
  },
  'schedule change': {
    summary: 'Change a schedule, by its id or name',
    options: {
      '--name': 'another name',
      ...startOptions,
      '--catch-up': 'run once for missed times',
      '--no-catch-up': 'only list missed times',
    },
    examples: ['Start at another time', 'Let another agent do it', 'Run once after missed times'],
  },
  'schedule pause': {
    summary: 'Pause a schedule',
    examples: ['Start nothing until it is resumed', 'Resume it', 'Print the schedule as JSON'],
  },
  'schedule resume': {
    summary: 'Resume a schedule from now',
    examples: ['Resume a paused schedule', 'See when it starts next', 'Print the schedule as JSON'],
  },
  'schedule remove': {
    summary: 'Remove a schedule; what it started continues',
    examples: ['Remove a schedule', 'Pause it instead', 'Remove it in a script'],
  },
  'schedule run': {
    summary: 'Start a schedule now, besides its times',
    options: {
      '--missed': 'in place of this missed run, or of the "latest"',
    },
    examples: ['Start it now', 'Run the latest missed one', 'Run a certain missed one'],
  },
  'schedule put-away': {
    summary: 'Remove missed runs from the list',
    examples: ['Forget the missed runs of a schedule', 'Look at them first', 'Print the schedule as JSON'],
  },
  'schedule preview': {
    summary: 'Print the next times of a cron expression',
    options: {
      '--time-zone': 'default that of this computer',
      '--count': 'how many times, at most 20',
    },
    examples: ['Print the next five times', 'Print the next twelve', 'Use another time zone'],
  },
} as const satisfies HelpPart;
