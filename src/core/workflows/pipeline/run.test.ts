import { describe, expect, it } from 'vitest';
import { createPipelineWorld, type PipelineWorld } from '../../../../test/fakes/pipeline-ports.ts';
import type { Result } from '../../../contract/result.ts';
import { englishText } from '../../../language/host-message.ts';
import { preparePipeline } from './check.ts';
import { type JsonValue, parseExact, stringifyExact } from './exact-json.ts';
import { afterAnswer, type PipelineEnd, type PipelineRun, runPipeline } from './run.ts';

interface Given extends Partial<Omit<PipelineRun, 'stages'>> {
  readonly world?: PipelineWorld;
}

async function run(text: string, given: Given = {}): Promise<Result<PipelineEnd>> {
  const stages = preparePipeline(text);
  if (!stages.ok) throw new Error(stages.error.map(({ message }) => englishText(message)).join());
  const { world = createPipelineWorld(), ...rest } = given;
  const { signal } = new AbortController();
  return runPipeline({ stages: stages.value, ports: world.ports, signal, ...rest });
}

async function itemsOf(text: string, input: Given['input'] = []): Promise<readonly JsonValue[]> {
  const end = await run(text, { input });
  if (!end.ok || end.value.kind !== 'done') throw new Error(JSON.stringify(end));
  return end.value.items;
}

const listOf = (text: string): readonly JsonValue[] => {
  const read = parseExact(text);
  if (!read.ok || !Array.isArray(read.value)) throw new Error('no list');
  return read.value;
};

/** Pipeline, items in and items out, both as JSON. */
const cases: [string, string, string, string][] = [
  [
    'a number matches a text of it, never a boolean',
    'where v=1',
    '[{"v":1},{"v":"1"},{"v":true}]',
    '[{"v":1},{"v":"1"}]',
  ],
  ['true matches true only', 'where v=true', '[{"v":1},{"v":"true"},{"v":true}]', '[{"v":true}]'],
  [
    'null matches what is missing, not zero',
    'where v==null',
    '[{"v":0},{},{"v":null},{"v":""}]',
    '[{},{"v":null}]',
  ],
  [
    'zero does not match empty text or null',
    'where v=0',
    '[{"v":""},{"v":null},{"v":0},{"v":[]}]',
    '[{"v":0}]',
  ],
  ['quotes make a text of a word', `where 'v="1"'`, '[{"v":1},{"v":"1"}]', '[{"v":"1"}]'],
  ['unequal is the opposite of equal', 'where v!=1', '[{"v":1},{"v":true},{}]', '[{"v":true},{}]'],
  [
    'order holds between numbers',
    "where 'v >= 9'",
    '[{"v":10},{"v":"9"},{"v":8},{"v":null},{"v":true}]',
    '[{"v":10},{"v":"9"}]',
  ],
  [
    'order holds between texts',
    'where d<2026-02-01',
    '[{"d":"2026-01-31"},{"d":"2026-02-01"},{"d":3}]',
    '[{"d":"2026-01-31"}]',
  ],
  ['order does not hold between a text and a number', 'where v>1', '[{"v":"x"},{"v":2}]', '[{"v":2}]'],
  ['field names may hold a hyphen', 'where a-b=1', '[{"a-b":1},{}]', '[{"a-b":1}]'],
  [
    'field names in quotes may hold anything',
    `where '"a b.c".d=1'`,
    '[{"a b.c":{"d":1}},{}]',
    '[{"a b.c":{"d":1}}]',
  ],
  ['paths go into lists', 'where a.1.b=x', '[{"a":[0,{"b":"x"}]},{"a":[]}]', '[{"a":[0,{"b":"x"}]}]'],
  ['the item itself has a path', 'where .>2', '[1,2,3]', '[3]'],
  ['what all objects have is not found', 'where constructor!=null', '[{}]', '[]'],
  [
    'numbers beyond doubles are told apart',
    'where v=9007199254740993',
    '[{"v":9007199254740992},{"v":9007199254740993}]',
    '[{"v":9007199254740993}]',
  ],
  [
    'texts beyond every double are texts',
    'where v=1e999',
    '[{"v":"1e400"},{"v":"1e999"}]',
    '[{"v":"1e999"}]',
  ],
  ['missing fields vanish, scalars pass', 'pick a,b', '[{"a":1,"c":2},5]', '[{"a":1},5]'],
  [
    'a field named __proto__ is a field',
    'pick __proto__',
    '[{"__proto__":{"x":1},"a":1}]',
    '[{"__proto__":{"x":1}}]',
  ],
  ['ten are the first ones', 'head', '[1,2,3,4,5,6,7,8,9,10,11]', '[1,2,3,4,5,6,7,8,9,10]'],
  ['none is a number of items', 'head --n 0', '[1]', '[]'],
  [
    'numbers sort as numbers, stable',
    'sort --key n',
    '[{"n":10},{"n":9,"i":1},{"n":9,"i":2}]',
    '[{"n":9,"i":1},{"n":9,"i":2},{"n":10}]',
  ],
  [
    'nothing sorts last',
    'sort --key n',
    '[{},{"n":2},{"n":null},{"n":1}]',
    '[{"n":1},{"n":2},{},{"n":null}]',
  ],
  [
    'nothing sorts first the other way round',
    'sort --key n --desc',
    '[{"n":1},{},{"n":2}]',
    '[{},{"n":2},{"n":1}]',
  ],
  ['texts sort by code unit', 'sort', '["b","a","B","ä"]', '["B","a","b","ä"]'],
  ['numbers stand before texts', 'sort', '["5x",10,9]', '[9,10,"5x"]'],
  [
    'big numbers sort exactly',
    'sort',
    '[9007199254740993,9007199254740992,1.5]',
    '[1.5,9007199254740992,9007199254740993]',
  ],
  [
    'the first of equal ones stays',
    'dedupe --key k',
    '[{"k":1,"a":1},{"k":1,"a":2},{"k":"1"}]',
    '[{"k":1,"a":1},{"k":"1"}]',
  ],
  [
    'groups come in order of first sight',
    'dedupe | sort --key n --desc | groupBy --key k',
    '[{"k":"b","n":2},{"k":"a","n":10},{"k":"b","n":2}]',
    '[{"key":"a","items":[{"k":"a","n":10}],"count":1},{"key":"b","items":[{"k":"b","n":2}],"count":1}]',
  ],
  ['a field is taken out', 'map --unwrap a', '[{"a":{"b":1}},{},5]', '[{"b":1},null,null]'],
  ['an item goes into a field', 'map --wrap w', '[1,{"a":2}]', '[{"w":1},{"w":{"a":2}}]'],
  [
    'fields are added',
    "map t='{{a | upper}}!' u={{.}}",
    '[{"a":"x"}]',
    '[{"a":"x","t":"X!","u":"{\\"a\\":\\"x\\"}"}]',
  ],
  ['scalars become a value', 'map t=<{{.}}>', '[7]', '[{"value":7,"t":"<7>"}]'],
  ['texts are made', "template '{{a.b}} {{missing}}{{this | length}}'", '[{"a":{"b":[1]}}]', '["[1] 0"]'],
  ['what shows the items leaves them', 'json | table', '[1,{"a":2}]', '[1,{"a":2}]'],
];

describe('Pure stages', () => {
  it.each(cases)('%s: %s', async (_name, text, input, output) => {
    expect(stringifyExact(await itemsOf(text, listOf(input)))).toBe(output);
  });

  it('pick no inherited properties', async () => {
    const [picked] = await itemsOf('pick constructor,a', [{ a: 1 }]);
    expect(Object.keys(picked ?? {})).toEqual(['a']);
  });

  it('do not change their input items', async () => {
    const item = Object.freeze({ a: 1 });
    expect(await itemsOf('map b=x', [item])).toEqual([{ a: 1, b: 'x' }]);
    expect(item).toEqual({ a: 1 });
  });

  it('take only the needed items and close the source', async () => {
    let taken = 0;
    let closed = false;
    async function* endless(): AsyncGenerator<number> {
      try {
        for (;;) {
          taken += 1;
          yield taken;
        }
      } finally {
        closed = true;
      }
    }
    expect(await itemsOf("where '. > 1' | map --wrap n | dedupe | head --n 2", endless())).toEqual([
      { n: 2 },
      { n: 3 },
    ]);
    expect([taken, closed]).toEqual([3, true]);
  });

  it('report how to display the result', async () => {
    expect(await run('table')).toMatchObject({ value: { show: 'table' } });
    expect(await run('head')).toMatchObject({ value: { show: null } });
  });
});

describe('Pipeline gates', () => {
  it('halt before later stages and pass the items on after an approval', async () => {
    const world = createPipelineWorld();
    const text = 'exec echo a | approve --prompt one --preview-from-stdin --limit 1 | exec --stdin raw send';
    const first = await run(text, { world });
    if (!first.ok || first.value.kind !== 'halted') throw new Error('no gate');
    const { halt, stage, next } = first.value;
    expect(halt).toEqual({
      kind: 'approval',
      prompt: 'one',
      items: ['echo a'],
      preview: '[\n  "echo a"\n]',
      limit: 1,
    });
    expect([stage, next, world.ran.length]).toEqual([1, 2, 1]);
    const passed = afterAnswer(halt, true);
    const second = await run(text, { world, from: next, input: passed.ok ? passed.value : [] });
    expect(second).toMatchObject({ ok: true, value: { kind: 'done', items: ['send'] } });
    expect(world.ran.map(({ stdin }) => stdin)).toEqual([null, 'echo a']);
  });

  it('accept only true as an approval', async () => {
    const end = await run('approve', { input: [1] });
    if (!end.ok || end.value.kind !== 'halted') throw new Error('no gate');
    for (const answer of [false, 'no', 'true', 1, null, {}]) {
      expect(afterAnswer(end.value.halt, answer)).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    }
  });

  it('show only the first items in the preview and halt with all items', async () => {
    const end = await run('approve --preview-from-stdin --limit 2', { input: [1, 2, 3] });
    expect(end).toMatchObject({ value: { halt: { items: [1, 2, 3], preview: '[\n  1,\n  2\n]' } } });
    expect(await run('approve')).toMatchObject({
      value: { halt: { prompt: 'Approve?', items: [], preview: null } },
    });
  });

  it('halt one after the other', async () => {
    const first = await run('approve --prompt one | approve --prompt two', { input: [1] });
    expect(first).toMatchObject({ value: { halt: { prompt: 'one' }, next: 1 } });
    const second = await run('approve --prompt one | approve --prompt two', { from: 1, input: [1] });
    expect(second).toMatchObject({ value: { halt: { prompt: 'two', items: [1] }, next: 2 } });
  });

  it('return the answer that matches the schema as the only item', async () => {
    const end = await run("ask --prompt 'ok?' --subject-from-stdin | pick d", { input: ['draft'] });
    if (!end.ok || end.value.kind !== 'halted') throw new Error('no gate');
    const { halt } = end.value;
    expect(halt).toMatchObject({ kind: 'input', prompt: 'ok?', subject: 'draft' });
    expect(halt).toMatchObject({
      schema: { properties: { decision: { enum: ['approve', 'reject', 'redraft'] } } },
    });
    const answer = { decision: 'redraft', feedback: 'shorter' };
    expect(afterAnswer(halt, answer)).toEqual({ ok: true, value: [answer] });
    for (const wrong of [{ d: 'yes' }, { decision: 'later' }, { ...answer, more: 1 }, true, null]) {
      expect(afterAnswer(halt, wrong)).toMatchObject({
        error: { message: expect.stringContaining('schema') },
      });
    }
  });
});

describe('Pipeline run', () => {
  it('fails at the output cap during streaming and stops the program', async () => {
    function* yes(): Generator<string> {
      for (let line = 0; line < 20_000; line += 1) yield 'y\n';
    }
    const world = createPipelineWorld({ program: () => ({ chunks: yes() }) });
    const end = await run('exec yes', { world, maxOutput: 10_000 });
    expect(end).toMatchObject({
      ok: false,
      error: { code: 'too_large', message: expect.stringContaining('exceeded') },
    });
    expect(world.stopped).toBe(1);
  });

  it('measures its output in bytes and names maxStdoutBytes in the error', async () => {
    const input = ['ä'.repeat(600)];
    expect(await run('json', { input, maxOutput: 1_300 })).toMatchObject({ ok: true });
    expect(await run('json', { input, maxOutput: 1_100 })).toMatchObject({
      error: { message: expect.stringMatching(/^puppy output exceeded maxStdoutBytes/) },
    });
  });

  it('can halt at a gate with items larger than the output cap', async () => {
    const input = ['x'.repeat(5_000)];
    const end = await run('approve --prompt go', { input, maxOutput: 1_100 });
    expect(end).toMatchObject({ ok: true, value: { kind: 'halted', halt: { items: input } } });
  });

  it.each(['exec tick', 'exec tick | sort'])('of %s ends on cancel and stops the program', async (text) => {
    const controller = new AbortController();
    function* ticks(): Generator<string> {
      for (let tick = 0; tick < 20_000; tick += 1) {
        if (tick === 5) controller.abort();
        yield `${tick}\n`;
      }
    }
    const world = createPipelineWorld({ program: () => ({ chunks: ticks() }) });
    const end = await run(text, { world, signal: controller.signal });
    expect(end).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(world.stopped).toBe(1);
    expect(await run(text, { world, signal: controller.signal })).toMatchObject({ ok: false });
    expect(world.ran).toHaveLength(1);
  });

  it('ends on cancel while a gate collects items', async () => {
    const controller = new AbortController();
    let taken = 0;
    function* counting(): Generator<number> {
      for (taken = 1; taken < 20_000; taken += 1) {
        if (taken === 5) controller.abort();
        yield taken;
      }
    }
    const end = await run('approve', { input: counting(), signal: controller.signal });
    expect(end).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(taken).toBe(5);
  });

  it('names the failed stage', async () => {
    const end = await run('exec a | exec --json b | head', { world: createPipelineWorld() });
    expect(end).toMatchObject({ ok: false, error: { where: 'stage 2, exec' } });
  });
});
