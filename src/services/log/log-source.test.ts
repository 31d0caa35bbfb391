import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogSource, type LogPage, type LogQuery, type LogSource } from './log-source.ts';
import { openRotatingFile } from './rotating-file.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kennel-log-'));
  path = join(folder, 'host.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (n: number, more: object = {}): string =>
  `${JSON.stringify({ level: 'info', time: new Date(1_000 + n).toISOString(), event: `e${n}`, ...more })}\n`;
const events = ({ lines }: LogPage): string[] => lines.map(({ event }) => event);

/** Reads page by page to the beginning. */
function readAll(source: LogSource, query: Partial<LogQuery> = {}): { events: string[]; calls: number } {
  const found: string[] = [];
  let calls = 0;
  for (let before: string | undefined; ; ) {
    const page = source.read({ level: 'debug', text: '', limit: 7, before, ...query });
    calls += 1;
    found.push(...events(page));
    if (page.next === null) return { events: found, calls };
    before = page.next;
  }
}

it('The log source reads every line once, backwards through the rotated files', () => {
  const file = openRotatingFile({ path, maxBytes: 700, keep: 4 });
  const places = Array.from({ length: 30 }, (_, n) => file.write(line(n)));
  file.close();
  const source = createLogSource({ path, keep: 4 });
  const wanted = Array.from({ length: 30 }, (_, n) => `e${29 - n}`);
  expect(readAll(source)).toMatchObject({ events: wanted });
  // The id returned when a line was written finds it again.
  const page = source.read({ level: 'debug', text: '', limit: 3 });
  expect(page.lines.map(({ id }) => id)).toEqual(places.slice(-3).reverse());
  expect(page.lines[0]).toMatchObject({ at: 1_029, level: 'info', agent: '' });
});

it('The log source continues at the right line after a rotation between two reads', () => {
  writeFileSync(path, [0, 1, 2, 3].map((n) => line(n)).join(''));
  const source = createLogSource({ path, keep: 2 });
  const first = source.read({ level: 'debug', text: '', limit: 2 });
  renameSync(path, `${path}.1`);
  writeFileSync(path, line(9));
  expect(events(source.read({ level: 'debug', text: '', limit: 9, before: first.next ?? '' }))).toEqual([
    'e1',
    'e0',
  ]);
});

it('The log source filters by level, agent and text in any case, and reports how far it has read', () => {
  const lines = [
    line(0, { level: 'error', agent: 'guide', message: 'Disk full' }),
    line(1, { level: 'debug' }),
    line(2, { level: 'warn', agent: 'checker' }),
    'no json at all\n',
  ];
  writeFileSync(path, lines.join(''));
  const source = createLogSource({ path, keep: 0 });
  expect(readAll(source, { level: 'warn' }).events).toEqual(['e2', 'e0']);
  expect(readAll(source, { agent: 'guide' }).events).toEqual(['e0']);
  expect(readAll(source, { text: 'DISK' }).events).toEqual(['e0']);
  const page = source.read({ level: 'debug', text: '', limit: 9 });
  expect(page.lines[0]).toMatchObject({ rest: '"text":"no json at all"', at: 0 });
  expect(source.read({ level: 'debug', text: 'not there', limit: 9 })).toMatchObject({
    lines: [],
    next: null,
    readTo: 1_000,
  });
});

it('A search for rare text stops after part of a long log and continues from its cursor', () => {
  const filler = 'x'.repeat(1_000);
  appendFileSync(path, line(0, { message: 'needle' }));
  appendFileSync(path, Array.from({ length: 3_000 }, (_, n) => line(n + 1, { filler })).join(''));
  const source = createLogSource({ path, keep: 0 });
  const first = source.read({ level: 'debug', text: 'needle', limit: 9 });
  expect(first.lines).toEqual([]);
  expect(first.next).not.toBeNull();
  const { events: found, calls } = readAll(source, { text: 'needle' });
  expect(found).toEqual(['e0']);
  expect(calls).toBeGreaterThan(2);
  expect(calls).toBeLessThan(6);
});

it('A line longer than a read block is one line, and an invalid cursor returns the end', () => {
  appendFileSync(path, `${line(0)}${line(1, { message: 'y'.repeat(400_000) })}${line(2)}`);
  const source = createLogSource({ path, keep: 1 });
  expect(readAll(source).events).toEqual(['e2', 'e1', 'e0']);
  for (const before of ['', 'x', '1:2', ':', '0:-4']) {
    expect(source.read({ level: 'debug', text: '', limit: 9, before })).toMatchObject({
      lines: [],
      next: null,
    });
  }
});

it('The log source notifies its followers, and only while they follow', () => {
  const source = createLogSource({ path, keep: 0 });
  const heard: string[] = [];
  source.push('before', '1:0');
  const stop = source.follow(({ id }) => heard.push(id));
  source.push('now', '1:7');
  source.push('lost', null);
  stop();
  source.push('after', '1:12');
  expect(heard).toEqual(['1:7']);
});
