import { describe, expect, it } from 'vitest';
import type { CodeAnswer, CodeRequest } from '../../core/ptc/code-ports.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import { createQuickJsEngine } from './quickjs-engine.ts';

const limits = { sliceMs: 2_000, computeMs: 10_000, memoryBytes: 16 * 1024 * 1024, outputCharacters: 200 };
const engine = createQuickJsEngine(createSystemClock());
const never = new AbortController().signal;

const echo = async (tool: string, args: unknown): Promise<CodeAnswer> =>
  tool === 'bad'
    ? { type: 'error', tool, message: 'no', structured: { why: 1 } }
    : { type: 'value', value: { tool, args } };

const functions = [
  { path: ['look'], tool: 'look' },
  { path: ['bad'], tool: 'bad' },
  { path: ['web', 'get_page'], tool: 'web__get-page' },
];

const run = (code: string, more: Partial<CodeRequest> = {}, signal = never) =>
  engine.run({ code, limits, functions, call: echo, ...more }, signal);

describe('code in QuickJS', () => {
  it('calls tools, catches their errors, prints and returns', async () => {
    const outcome = await run(`
      console.log('hi', { a: 1 });
      const page = await tools.web.get_page({ url: 'x' });
      try { await tools.bad({}); } catch (e) { console.log(e instanceof ToolError, e.tool, e.message, e.structured.why); }
      return page;`);
    expect(outcome).toMatchObject({ end: 'done', error: null });
    expect(outcome.printed).toBe('hi {\n "a": 1\n}\ntrue bad no 1\n');
    expect(JSON.parse(outcome.returned ?? '')).toEqual({ tool: 'web__get-page', args: { url: 'x' } });
  });

  it('asks about the tools, and reports a tool that does not exist', async () => {
    const asked = await run(
      'return [await tools.search("a b"), await tools.describe("x"), await tools.ls(), await tools.cat("a")]',
    );
    expect(JSON.parse(asked.returned ?? '').map(({ tool }: { tool: string }) => tool)).toEqual([
      '.search',
      '.describe',
      '.ls',
      '.cat',
    ]);
    expect(await run('await tools.nope({})')).toMatchObject({ end: 'threw' });
    expect((await run('await tools.web.nope({})')).error).toContain('There is no tool web.nope');
  });

  it('has nothing of the host', async () => {
    const names = ['fetch', 'process', 'require', 'setTimeout', 'WebAssembly', 'std', 'os', 'Buffer'];
    const outcome = await run(`return [${names.map((name) => `typeof ${name}`).join(', ')}]`);
    expect(JSON.parse(outcome.returned ?? '')).toEqual(names.map(() => 'undefined'));
    expect((await run('return await import("fs")')).end).toBe('threw');
    expect((await run('return await import("node:fs")')).end).toBe('threw');
    expect((await run('}); globalThis.x = 1; (() => {')).end).toBe('threw');
    // No state is left for the next code.
    await run('globalThis.kept = 1; Array.prototype.map = null;');
    expect((await run('return [typeof kept, typeof [].map]')).returned).toBe('["undefined","function"]');
  });

  it('reports errors with their line, and ends that are none', async () => {
    expect((await run('\n\nnull.x')).error).toContain('code.js:3');
    expect((await run('return (')).end).toBe('threw');
    expect((await run('throw null')).error).toBe('null');
    expect((await run('return 10n')).end).toBe('threw');
    expect((await run('(function f() { f(); })()')).error).toContain('stack overflow');
    expect((await run('await new Promise(() => {})')).end).toBe('stuck');
    expect((await run('tools.bad({})')).end).toBe('done');
  });

  it('keeps the beginning and the end of a long output', async () => {
    const { printed, cutCharacters } = await run('for (let i = 0; i < 1000; i++) console.log("line " + i); ');
    expect(printed).toMatch(/^line 0\nline 1\n[\s\S]*characters left out[\s\S]*line 999\n$/);
    expect(cutCharacters).toBeGreaterThan(8_000);
  });

  it('waits for calls that the code does not await, and runs calls concurrently', async () => {
    const open: (() => void)[] = [];
    const call = (): Promise<CodeAnswer> =>
      new Promise((resolve) => {
        open.push(() => resolve({ type: 'value', value: 1 }));
        // Only when all three are open does any of them end.
        if (open.length === 3) for (const end of open) end();
      });
    const outcome = await run('tools.look({}); await Promise.all([tools.look({}), tools.look({})]);', {
      call,
    });
    expect([outcome.end, open.length]).toEqual(['done', 3]);
  });

  it('ends an endless loop, between calls too, and the next code runs', async () => {
    const short = { ...limits, sliceMs: 100 };
    expect((await run('for (;;);', { limits: short })).end).toBe('timeout');
    expect((await run('for (;;) await null;', { limits: short })).end).toBe('timeout');
    expect((await run('try { for (;;); } catch { } finally { for (;;); }', { limits: short })).end).toBe(
      'timeout',
    );
    expect((await run('return 1')).returned).toBe('1');
  });

  it('ends code that uses too much memory', async () => {
    const outcome = await run('const all = []; for (;;) all.push([1, 2, 3].concat([4]));');
    expect(['memory', 'timeout']).toContain(outcome.end);
    expect((await run('return 1')).returned).toBe('1');
  });

  it('passes on only as many calls as the host can hold (T24)', async () => {
    let [passed, characters] = [0, 0];
    const held: (() => void)[] = [];
    const call = (_tool: string, args: unknown): Promise<CodeAnswer> => {
      passed += 1;
      characters += JSON.stringify(args).length;
      return new Promise((resolve) => held.push(() => resolve({ type: 'value', value: 1 })));
    };
    const stop = new AbortController();
    const source = (count: number, text: string) => `
      const text = ${text};
      const all = Array.from({ length: ${count} }, () => tools.look({ text }));
      try { await Promise.race(all); } catch (e) { console.log(e.message); }
      throw new Error('over');`;
    const many = await run(source(5_000, '"x"'), { call }, stop.signal);
    expect(many.printed).toContain('Too many calls wait for an answer');
    expect(passed).toBeLessThanOrEqual(1_000);
    characters = 0;
    const large = await run(source(60, '"x".repeat(1024 * 1024)'), { call }, stop.signal);
    expect(large.printed).toContain('Too many calls wait for an answer');
    expect(characters).toBeLessThanOrEqual(32 * 1024 * 1024);
  });

  it('terminates a thread that a built-in function keeps busy', async () => {
    const code = 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)';
    expect((await run(code, { limits: { ...limits, sliceMs: 300 } })).end).toBe('timeout');
    expect((await run('return 1')).returned).toBe('1');
  });

  it('ends at an abort while it waits for a call', async () => {
    const stop = new AbortController();
    const outcome = await run(
      'await tools.look({})',
      {
        call: () => {
          stop.abort();
          return new Promise(() => undefined);
        },
      },
      stop.signal,
    );
    expect(outcome.end).toBe('aborted');
  });
});
