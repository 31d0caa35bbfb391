import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAgentRig, echoTool } from '../../../test/fakes/agent-rig.ts';
import { says, scriptedModel } from '../../../test/fakes/scripted-stream.ts';
import { parseTextCalls } from './text-calls.ts';

const tools = ['read_file', 'write_file', 'list_dir', 'run'].map((name) => ({
  name,
  parameters: { type: 'object' },
}));

const parse = (text: string): readonly string[] =>
  parseTextCalls(text, tools).map((call) => `${call.name} ${JSON.stringify(call.arguments)}`);

describe('parseTextCalls', () => {
  it.each([
    ['read_file(path="a.md")', ['read_file {"path":"a.md"}']],
    ["I look: read_file( path = 'a b.md' , lines=10 ). Then", ['read_file {"path":"a b.md","lines":10}']],
    ['list_dir()', ['list_dir {}']],
    ['list_dir(path=src)', ['list_dir {"path":"src"}']],
    ['run(all=true, none=None, x=-1.5e3, y=007)', ['run {"all":true,"none":null,"x":-1500,"y":"007"}']],
    [
      'run(list=[1, "a", [b, c]], map={"k": 1, other: [true]})',
      ['run {"list":[1,"a",["b","c"]],"map":{"k":1,"other":[true]}}'],
    ],
    ['run(cmd=f(x, y), z=1)', ['run {"cmd":"f(x, y)","z":1}']],
    [
      'write_file(path="a", text="line 1\\nsays \\"hi\\" \\d \\u0041")',
      ['write_file {"path":"a","text":"line 1\\nsays \\"hi\\" \\\\d A"}'],
    ],
    [
      'write_file(path="a", text="""one "two"\n```\nthree""")',
      ['write_file {"path":"a","text":"one \\"two\\"\\n```\\nthree"}'],
    ],
    [
      'file_read(filepath="a")\nfile_write(filepath=b, text="")',
      ['read_file {"path":"a"}', 'write_file {"path":"b","text":""}'],
    ],
    ['run(a=1,)', ['run {"a":1}']],
  ])('reads %j', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it.each([
    'read_file',
    'read_file("a.md")',
    'read_file(path="a.md"',
    'read_file(path="a" + "b")',
    'read_file(path=)',
    'read_file(path="a" lines=1)',
    'unknown_tool(path="a")',
    'my.read_file(path="a")',
    'xread_file(path="a")',
    'constructor(a=1)',
    '```\nread_file(path="a")\n```',
    '~~~sh\nread_file(path="a")',
    '````\n```\nread_file(path="a")\n```\n````',
  ])('leaves %j as text', (text) => {
    expect(parse(text)).toEqual([]);
  });

  it('parses calls after a fence and after text that is not a call', () => {
    expect(parse('```\nx\n```\nread_file(path="a")')).toHaveLength(1);
    expect(parse('read_file(oops read_file(path="a")')).toHaveLength(1);
  });

  it('keeps an argument that the tool itself names filepath', () => {
    const own = [{ name: 'open', parameters: { properties: { filepath: { type: 'string' } } } }];
    expect(parseTextCalls('open(filepath=a)', own)).toEqual([{ name: 'open', arguments: { filepath: 'a' } }]);
  });

  it('drops __proto__ keys (T26)', () => {
    const [call] = parseTextCalls('run(__proto__={"a":1}, m={"__proto__": {"a": 1}})', tools);
    expect(Object.keys(call?.arguments ?? {})).toEqual(['m']);
    expect(Object.getPrototypeOf(call?.arguments.m)).toBe(Object.prototype);
  });

  it('parses arguments written as JSON strings', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), (text, number, flag) => {
        const [call] = parseTextCalls(`run(t=${JSON.stringify(text)}, n=${number}, b=${flag})`, tools);
        // JSON escapes that do not occur in a model's prose (\b, \f, \/) stay as written.
        if (!/[\b\f]/.test(text)) expect(call?.arguments).toEqual({ t: text, n: number, b: flag });
      }),
    );
  });

  it('accepts any text and finishes on long hostile text', () => {
    const scraps = fc.constantFrom(
      'read_file(',
      'a=',
      '"',
      "'",
      '"""',
      '[',
      '{',
      ')',
      ']',
      '}',
      ',',
      '\\',
      '\n```',
      ':',
      'x',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(scraps, { maxLength: 60 }), (parts) => {
        expect(Array.isArray(parse(parts.join('')))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
    for (const hostile of ['read_file(a="', 'run(a=[', 'run(a={b:', '```\n', 'run(', "run(a='"]) {
      expect(parse(hostile.repeat(60_000)).length).toBe(0);
    }
  });
});

describe('Model without native tool calls', () => {
  const model = { ...scriptedModel, nativeTools: false };

  it('gets its tools in the system prompt, calls them in text, and gets results as user messages', async () => {
    const rig = createAgentRig([says('Let me see.\necho(text="hi")'), says('It said hi.')], { model });
    await rig.agent.prompt('go');
    expect(rig.texts().slice(2)).toEqual(['toolResult:echo hi', 'assistant:It said hi.']);
    const [first, second] = rig.model.requests;
    expect(first?.context.tools).toEqual([]);
    expect(first?.context.system).toContain('- echo: Says it back.');
    expect(second?.context.messages.map((one) => [one.role, one.content.map((block) => block.type)])).toEqual(
      [
        ['user', ['text']],
        ['assistant', ['text']],
        ['user', ['text', 'text']],
      ],
    );
  });

  it('is subject to the same hook and schema', async () => {
    const rig = createAgentRig([says('echo(text="a")\necho(other=1)'), says('Sorry.')], {
      model,
      tools: [echoTool({ execute: () => Promise.reject(new Error('must not run')) })],
      beforeToolCall: () => ({ block: true, reason: 'not allowed' }),
    });
    await rig.agent.prompt('go');
    expect(rig.texts()[2]).toBe('toolResult!:not allowed');
    expect(rig.texts()[3]).toContain('text is required');
  });

  it('may use a custom call parser', async () => {
    const rig = createAgentRig([says('ACTION echo hello'), says('fine')], {
      parseAction: (text) => {
        const found = /^ACTION (\w+) (.*)$/.exec(text);
        return found ? [{ name: found[1] ?? '', arguments: { text: found[2] ?? '' } }] : [];
      },
    });
    await rig.agent.prompt('go');
    expect(rig.texts()[2]).toBe('toolResult:echo hello');
    expect(rig.model.requests[0]?.context.system).toBe('You are a test.');
  });
});
