import { spawnSync } from 'node:child_process';
import { linkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryJournal } from '../../../test/fakes/memory-journal.ts';
import { createStepWorld } from '../../../test/fakes/step-world.ts';
import { processStart } from '../../platform/process-tree.ts';
import { createStatePort } from './pipeline-runner.ts';

let world: ReturnType<typeof createStepWorld>;
beforeEach(() => {
  world = createStepWorld();
});
afterEach(() => world.dispose());
const remake = (options: Parameters<typeof createStepWorld>[0]): void => {
  world.dispose();
  world = createStepWorld(options);
};

interface Seen {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly body: unknown;
}

async function withGateway(
  answer: { status: number; body: string; headers?: Record<string, string> },
  work: (url: string, seen: Seen[]) => Promise<void>,
): Promise<void> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      seen.push({ url: request.url, token: request.headers.authorization, body: JSON.parse(text) });
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen);
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
}

describe('Pipeline step', () => {
  it('runs programs with exact arguments, and stops them when no stage reads on', async () => {
    expect(await world.pipe('exec printf %s --hello')).toEqual({ type: 'done', json: ['--hello'] });
    expect(await world.pipe("exec printf '[%s]' ''")).toEqual({ type: 'done', json: ['[]'] });
    expect(await world.pipe('exec yes | head --n 2')).toEqual({ type: 'done', json: ['y', 'y'] });
    expect(world.marks.every(({ pid }) => processStart(pid) === '')).toBe(true);
  });

  it('reports a missing program before anything starts', async () => {
    const missing = await world.pipe('exec /no/such/bin');
    expect(missing).toMatchObject({
      type: 'failed',
      message: { text: expect.stringContaining('was not found') },
    });
    expect(world.marks).toEqual([]);
  });

  it('T24: limits its output while it arrives', async () => {
    remake({ maxPipelineOutput: 1_000 });
    expect(await world.pipe('exec yes')).toMatchObject({ type: 'failed', code: 'too_large', retry: false });
    expect(world.marks.every(({ pid }) => processStart(pid) === '')).toBe(true);
  });

  it('halts at an approval and resumes after it without repeating earlier stages', async () => {
    const text = "exec --shell 'echo a; echo b' | approve --prompt Go? --preview-from-stdin | head --n 1";
    const halted = await world.pipe(text);
    if (halted.type !== 'halted') throw new Error('it did not stand still');
    expect(halted.next).toEqual({ stage: 2, items: ['a', 'b'] });
    expect(halted.asks).toMatchObject({ kind: 'approval', prompt: 'Go?', items: ['a', 'b'] });
    const before = world.marks.length;
    const on = await world.pipe(text, { from: { ...halted.next, answer: null } });
    expect(on).toEqual({ type: 'done', json: ['a'] });
    expect(world.marks.length).toBe(before);
  });

  it('resumes after a question with only the answer', async () => {
    const text = `exec echo a | ask --schema '{"type":"object","required":["d"]}'`;
    const halted = await world.pipe(text);
    if (halted.type !== 'halted') throw new Error('it did not stand still');
    const from = { ...halted.next, answer: { d: 1 } };
    expect(await world.pipe(text, { from })).toEqual({ type: 'done', json: [{ d: 1 }] });
    expect(await world.pipe(text, { from: { ...from, answer: {} } })).toMatchObject({ type: 'failed' });
  });

  it('T14: reads templates only below its folder', async () => {
    writeFileSync(path.join(world.root, 't.txt'), 'hi {{.}}');
    expect(await world.pipe('exec echo you | template --file t.txt')).toEqual({
      type: 'done',
      json: ['hi you'],
    });
    const outside = await world.pipe('exec echo you | template --file /etc/hostname');
    expect(outside).toMatchObject({ type: 'failed' });
    const secret = `${world.root}-secret`;
    writeFileSync(secret, 'secret');
    try {
      linkSync(secret, path.join(world.root, 'second-name'));
      symlinkSync(secret, path.join(world.root, 'link'));
      spawnSync('mkfifo', [path.join(world.root, 'pipe')]);
      for (const name of ['second-name', 'link', 'pipe', '.']) {
        const read = await world.pipe(`exec echo you | template --file ${name}`);
        expect(read, name).toMatchObject({ type: 'failed' });
        expect(JSON.stringify(read), name).not.toContain('secret"');
      }
    } finally {
      rmSync(secret);
    }
  });

  it('fails an LLM call if no model is set up', async () => {
    expect(await world.pipe("llm.invoke --prompt 'Hello'")).toMatchObject({
      type: 'failed',
      message: { text: expect.stringContaining('No model is set up') },
    });
  });
});

describe('Pipeline state', () => {
  it('is stored under exact keys, and keeps large integers', async () => {
    expect(await world.pipe("exec --json echo 12345678901234567890 | state.set 'Team/A'")).toMatchObject({
      type: 'done',
    });
    expect(await world.pipe('state.get team_a')).toEqual({ type: 'done', json: [null] });
    expect(await world.pipe('state.get Team/A')).toEqual({ type: 'done', json: [12345678901234567890n] });
  });

  it('is separate for each agent: the operator’s keys are neither read nor changed (T9)', async () => {
    const journal = createMemoryJournal();
    const [operator, guide, other] = [null, 'guide', 'other'].map((by) => createStatePort(journal, by));
    await operator?.set('value', 'x', 1);
    await guide?.set('value', 'x', 2);
    expect(await operator?.get('value', 'x')).toEqual({ ok: true, value: 1 });
    expect(await guide?.get('value', 'x')).toEqual({ ok: true, value: 2 });
    expect(await other?.get('value', 'x')).toEqual({ ok: true, value: undefined });
  });

  it('is separate for each key space', async () => {
    const port = createStatePort(createMemoryJournal());
    await port.set('value', 'x', 1);
    await port.set('snapshot', 'value:x', 2);
    expect(await port.get('answer', 'x')).toEqual({ ok: true, value: undefined });
    expect(await port.get('value', 'x')).toEqual({ ok: true, value: 1 });
  });
});

describe('Gateway tool', () => {
  it('is called once, with the token of the environment on this computer', async () => {
    await withGateway({ status: 200, body: '{"ok":true,"result":[1,2]}' }, async (url, seen) => {
      remake({ env: { PATH: process.env.PATH, FLUFFBUZZ_URL: url, FLUFFBUZZ_TOKEN: 'secret' } });
      const called = await world.pipe(`fluffbuzz.invoke --tool a --action b --args-json '{"n":1}'`);
      expect(called).toEqual({ type: 'done', json: [1, 2] });
      expect(seen).toEqual([
        {
          url: '/tools/invoke',
          token: 'Bearer secret',
          body: { tool: 'a', action: 'b', args: { n: 1 } },
        },
      ]);
    });
  });

  it('T18: never sends that token to another computer or through a redirect', async () => {
    remake({ env: { PATH: process.env.PATH, OPENCLAW_TOKEN: 't' } });
    const refused = await world.pipe('openclaw.invoke --url http://example.invalid --tool a --action b');
    expect(refused).toMatchObject({ message: { text: expect.stringContaining('refuses to send') } });
    const moved = { status: 307, body: '', headers: { location: 'http://example.invalid/' } };
    await withGateway(moved, async (url, seen) => {
      remake({ env: { PATH: process.env.PATH, OPENCLAW_TOKEN: 't', OPENCLAW_URL: url } });
      expect(await world.pipe('openclaw.invoke --tool a --action b')).toMatchObject({ type: 'failed' });
      expect(seen).toHaveLength(1);
    });
  });

  it('is not called again after a failure behind the gateway', async () => {
    await withGateway({ status: 500, body: '{"ok":false,"error":"no"}' }, async (url) => {
      remake({ env: { PATH: process.env.PATH, OPENCLAW_URL: url } });
      const failed = await world.pipe('openclaw.invoke --tool a --action b');
      expect(failed).toMatchObject({ type: 'failed', retry: false });
    });
  });
});
