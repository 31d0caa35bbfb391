import type { Command } from 'commander';
import { act, type Exit } from './act.ts';

export function addWorkCommands(program: Command, exit: Exit): void {
  const work = program.command('work').description('what agents did, turn by turn');
  const list = work
    .command('list [agent]', { isDefault: true })
    .description('turns of all agents, or of one, newest first');
  list
    .option('--in <room>', 'only one room, by its id')
    .option('--state <states>', 'running, waiting, held, done, silent, failed, stopped; several with commas')
    .option('--before <place>', 'go on where the last page ended')
    .option('--limit <number>', 'how many, at most 200', '20');
  act(list, exit, async () => (await import('./commands/work.ts')).runWorkList);
  const show = work.command('show <turn>').description('one turn: requests, calls, questions, the answer');
  show.option('--raw', 'what was written down of it, as JSON lines');
  act(show, exit, async () => (await import('./commands/work.ts')).runWorkShow);
}
