/** Turns and log lines of the fake host, in memory. */
import { textError } from '../../src/contract/errors.ts';
import type { MethodInput, MethodName } from '../../src/contract/methods.ts';
import { err, ok } from '../../src/contract/result.ts';
import { type LogLine, logLevels, type TurnSummary } from '../../src/contract/work-methods.ts';
import type { FakeFeed } from './fake-feed.ts';
import type { Handler } from './fake-host.ts';
import { logLines, rawEvents, turnView } from './turn-data.ts';

export class FakeTurns {
  turns: TurnSummary[] = [];
  /** Lines older than those of the feed, oldest first. */
  stored: LogLine[] = [];
  private readonly feed: FakeFeed;
  private batch = 0;
  private written = 0;

  constructor(feed: FakeFeed) {
    this.feed = feed;
    feed.put('work', { running: {} });
    feed.put('logs', { batches: { 0: [] } });
  }

  show(turns: TurnSummary[]): void {
    this.turns = turns;
    const running = turns.filter(({ endedAt }) => endedAt === null);
    this.feed.put('work', { running: Object.fromEntries(running.map((one) => [one.id, one])) });
  }

  /** Writes `count` lines as one batch; old batches are dropped. */
  write(count: number, lines: LogLine[] = logLines(this.written, count)): void {
    this.written += count;
    this.batch += 1;
    this.feed.patch('logs', { op: 'set', path: ['batches', `${this.batch}`], value: lines });
    if (this.batch >= 8) this.feed.patch('logs', { op: 'delete', path: ['batches', `${this.batch - 8}`] });
  }

  table(): Partial<Record<MethodName, Handler>> {
    return {
      'work.turns': (wanted: MethodInput<'work.turns'>) => {
        const { agent, room, states, before, limit = 50 } = wanted;
        const from = before === undefined ? 0 : this.turns.findIndex(({ id }) => id === before) + 1;
        const fit = this.turns
          .slice(from)
          .filter((one) => agent === undefined || one.agentId === agent)
          .filter((one) => room === undefined || one.roomId === room)
          .filter((one) => states === undefined || states.includes(one.state));
        const turns = fit.slice(0, limit);
        return ok({ turns, next: fit.length > limit ? (turns.at(-1)?.id ?? null) : null, closed: [] });
      },
      'work.turn': ({ turn }: { turn: string }) => {
        if (!this.turns.some(({ id }) => id === turn))
          return err(textError('not_found', `None of your agents has a turn "${turn}".`));
        return ok({ ...turnView(turn), turn: this.turns.find(({ id }) => id === turn) });
      },
      'work.part': () => ok({ input: '{"tool": "write_file"}', output: `${'x'.repeat(5_000)} the end` }),
      'work.raw': () => ok({ events: rawEvents(), next: null }),
      'logs.read': ({ before, level = 'debug', agent, text = '', limit = 200 }: MethodInput<'logs.read'>) => {
        const end = this.stored.findIndex(({ id }) => id === before);
        const fit = this.stored
          .slice(0, end < 0 ? this.stored.length : end)
          .filter((line) => logLevels.indexOf(line.level) >= logLevels.indexOf(level))
          .filter((line) => agent === undefined || line.agent === agent)
          .filter((line) => `${line.event} ${line.rest}`.includes(text))
          .toReversed();
        const lines = fit.slice(0, limit);
        const more = fit.length > limit;
        return ok({ lines, next: more ? (lines.at(-1)?.id ?? null) : null, readTo: lines.at(-1)?.at ?? 1 });
      },
    };
  }
}
