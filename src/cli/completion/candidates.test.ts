import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nouns } from '../registry.ts';
import { candidates, fileNamesMark } from './candidates.ts';

let home = '';
beforeAll(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'kennel-complete-'));
  for (const id of ['ada', 'guide']) {
    mkdirSync(path.join(home, 'agents', id), { recursive: true });
    writeFileSync(path.join(home, 'agents', id, 'agent.yml'), '');
  }
  mkdirSync(path.join(home, 'agents', 'leftover'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The line up to the cursor; its last word is completed. */
async function values(line: string): Promise<readonly string[] | typeof fileNamesMark> {
  const words = line.split(' ');
  const found = await candidates(words.slice(0, -1), words.at(-1) ?? '', home);
  return found === fileNamesMark ? fileNamesMark : found.map(({ value }) => value);
}

describe('Completion', () => {
  it('offers all nouns, and those that begin with the word', async () => {
    expect(await values('')).toEqual(nouns.map(({ name }) => name));
    expect(await values('ag')).toEqual(['agent', 'agentd']);
    expect(await values('nothing-like-it')).toEqual([]);
  });

  it.each(nouns.filter(({ verbs }) => verbs.length > 0))(
    'offers the verbs of $name',
    async ({ name, verbs }) => {
      expect(await values(`${name} `)).toEqual(expect.arrayContaining([...verbs]));
    },
  );

  it('offers unused options of a command, also without its default verb', async () => {
    expect(await values('agent list --')).toEqual(['--state', '--sort', '--json', '--help']);
    expect(await values('task add x --budget-')).toEqual([
      '--budget-steps',
      '--budget-tokens',
      '--budget-usd',
    ]);
    expect(await values('task --stat')).toEqual(['--status']);
    expect(await values('approvals list --all --a')).toEqual(['--agent']);
    expect(await values('chat send --to x --attach a --att')).toEqual(['--attach']);
    expect(await values('start --no-')).toEqual(['--no-demo', '--no-web']);
  });

  it('offers agents for arguments and options that take one', async () => {
    expect(await values('agent show ')).toEqual(['ada', 'guide']);
    expect(await values('agent show g')).toEqual(['guide']);
    expect(await values('agent show guide ')).toEqual([]);
    expect(await values('agent rename --json a')).toEqual(['ada']);
    expect(await values('agent reset-primer ada ')).toEqual(['ada', 'guide']);
    expect(await values('task add x --agent ')).toEqual(['ada', 'guide']);
    expect(await values('work ')).toEqual(['list', 'show', 'ada', 'guide']);
    expect(await values('usage ')).toEqual(['ada', 'guide']);
  });

  it('offers fixed values, and leaves files to the shell', async () => {
    expect(await values('agent runtime guide --on-dm ')).toEqual(['on', 'off']);
    expect(await values('task settle 1 2 ')).toEqual(['yes', 'no']);
    expect(await values('puppy graph --format s')).toEqual(['svg']);
    expect(await values('completion ')).toEqual(['bash', 'zsh', 'fish', 'pwsh']);
    expect(await values('chat send --to x --attach ')).toBe(fileNamesMark);
    expect(await values('restore ')).toBe(fileNamesMark);
  });

  it('offers nothing for text that only the user knows', async () => {
    expect(await values('chat send --to ')).toEqual([]);
    expect(await values('operator sign-up --server ')).toEqual([]);
  });
});
