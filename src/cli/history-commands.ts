import type { Command } from 'commander';
import { act, type Exit } from './act.ts';

export function addHistoryCommands(program: Command, exit: Exit): void {
  const search = program
    .command('search <words...>')
    .description('search your messages, or those of an agent, newest first');
  search
    .option('--in <room>', 'only one room: its id, #channel, or a name')
    .option('--agent <id>', 'what this agent has got')
    .option('--before <id>', 'go on after this message')
    .option('--limit <number>', 'how many, at most 200', '20');
  act(search, exit, async () => (await import('./commands/search.ts')).runSearch);
  act(
    program.command('why <message>').description('what each agent made of a message, and why'),
    exit,
    async () => (await import('./commands/search.ts')).runWhy,
  );
  const missed = program
    .command('missed [agent]')
    .description('what was said to your agents and has no answer, and why');
  missed.option('--days <number>', 'how far back', '7');
  act(missed, exit, async () => (await import('./commands/search.ts')).runMissedCommand);
}
