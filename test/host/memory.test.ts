import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { newHome, startHost, type TestHost } from './host-rig.ts';

let folder: ReturnType<typeof newHome>;
let host: TestHost | null = null;

beforeEach(() => {
  folder = newHome();
});
afterEach(async () => {
  await host?.stop();
  host = null;
  folder.remove();
});

function kennel(
  args: readonly string[],
  input = '',
): Promise<{ code: number | null; out: string; err: string }> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: folder.home, KENNEL_HOME: folder.home };
  const child = spawn(process.execPath, [kennelEntry, ...args], { env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece) => (out += String(piece)));
  child.stderr.on('data', (piece) => (err += String(piece)));
  child.stdin.end(input);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

const note = (name: string): string => path.join(folder.home, 'agents/ada/memory', `${name}.md`);

describe('Agent notes', () => {
  it('can be read, changed and restored by the operator, also after edits on disk', async () => {
    host = await startHost(folder.home);
    const { call, tryCall } = host;
    await call('agents.create', { id: 'ada' });
    const ref = { agent: 'ada', name: 'people' };
    expect(await tryCall('memory.read', ref)).toMatchObject({ error: { code: 'not_found' } });
    await call('memory.write', { ...ref, text: 'Bob likes tea\n' });
    writeFileSync(note('people'), 'Bob likes coffee\n');
    expect(await call('memory.list', { agent: 'ada' })).toMatchObject({
      notes: [{ name: 'people', bytes: 17 }],
      promptBytes: '### people\n\nBob likes coffee'.length,
    });
    await call('memory.forget', ref);
    const { text, versions } = await call('memory.read', ref);
    expect([text, versions.map(({ by, removed }) => [by, removed])]).toEqual([
      '',
      [
        ['operator', false],
        ['operator', false],
        ['operator', true],
      ],
    ]);
    await call('memory.restore', { ...ref, version: 1 });
    expect(readFileSync(note('people'), 'utf8')).toBe('Bob likes tea\n');
    expect(await tryCall('memory.write', { agent: 'ada', name: '../x', text: '' })).toMatchObject({
      error: { code: 'invalid_input' },
    });
    expect(await tryCall('memory.list', { agent: 'adda' })).toMatchObject({ error: { code: 'not_found' } });
  });

  it('T9: list lines written from untrusted content, which only the operator can confirm', async () => {
    await kennel(['agent', 'create', 'ada', '--no-register']);
    await kennel(['memory', 'edit', 'ada', 'plan', '--file', '-'], 'one\ntwo\n');
    const record = path.join(path.dirname(note('plan')), '.history/provenance.json');
    writeFileSync(record, 'damaged');
    expect((await kennel(['memory', 'list', 'ada'])).out).toMatch(
      /^plan +not confirmed .*\n.*\n.*memory confirm ada plan/m,
    );
    const asked = await kennel(['memory', 'confirm', 'ada', 'plan']);
    expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('one\ntwo\n')]);
    expect((await kennel(['memory', 'confirm', 'ada', 'plan', '--yes'])).out).toBe(
      '"plan" is trusted now.\n',
    );
    expect((await kennel(['memory', 'list', 'ada'])).out).not.toContain('not confirmed');
    writeFileSync(record, 'damaged');
    expect((await kennel(['memory', 'confirm', 'ada', 'plan', '--delete', '--yes'])).code).toBe(0);
    expect((await kennel(['memory', 'list', 'ada'])).out).toBe('ada has no notes yet.\n');
  }, 90_000);

  it('have commands that work without a host', async () => {
    await kennel(['agent', 'create', 'ada', '--no-register']);
    mkdirSync(path.dirname(note('x')), { recursive: true });
    expect((await kennel(['memory', 'list', 'ada'])).out).toBe('ada has no notes yet.\n');
    expect(await kennel(['memory', 'edit', 'ada', 'plan', '--file', '-'], 'one\n')).toMatchObject({
      code: 0,
      out: 'Saved the note "plan" of ada.\n',
    });
    await kennel(['memory', 'edit', 'ada', 'plan', '--file', '-'], 'two\n');
    expect((await kennel(['memory', 'show', 'ada', 'plan'])).out).toBe('two\n');
    expect((await kennel(['memory', 'list', 'ada'])).out).toMatch(
      /^NOTE +STATE +CHANGED +SIZE\nplan +trusted +\d{4}-\d\d-\d\d \d\d:\d\d +4 bytes\n/,
    );
    expect((await kennel(['memory', 'forget', 'ada', 'plan'])).out).toContain('can bring it back');
    const shown = await kennel(['memory', 'show', 'ada', 'plan']);
    expect([shown.code, shown.err]).toEqual([2, expect.stringContaining('was forgotten')]);
    expect((await kennel(['memory', 'history', 'ada', 'plan'])).out).toMatch(/^3 .* forgotten$/m);
    expect((await kennel(['memory', 'restore', 'ada', 'plan', 'x'])).code).toBe(2);
    await kennel(['memory', 'restore', 'ada', 'plan', '1']);
    expect(readFileSync(note('plan'), 'utf8')).toBe('one\n');
  }, 90_000);
});
