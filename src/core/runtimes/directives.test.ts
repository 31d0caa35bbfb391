import { describe, expect, it } from 'vitest';
import { countingTool, type RigOptions, runtimeRig } from '../../../test/fakes/runtime-rig.ts';
import { type ScriptedReply, says } from '../../../test/fakes/scripted-stream.ts';
import { transcriptText } from '../models/messages.ts';

const fence = (name: string, body: string): string => `\`\`\`${name}\n${body}\n\`\`\`\n`;

/** An answer in small pieces, so that directives are cut anywhere. */
const pieces = (text: string, size = 5): ScriptedReply => ({
  blocks: [{ type: 'text', chunks: text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [] }],
});

const script = () =>
  countingTool('run_script', {
    parameters: {
      type: 'object',
      properties: { language: { enum: ['python', 'node', 'bash', 'typescript'] }, code: { type: 'string' } },
    },
    async execute({ language, code }) {
      return { content: [{ type: 'text', text: `ran ${language}: ${code}` }] };
    },
  });

const rig = (replies: readonly ScriptedReply[], options: RigOptions = {}, directives = true) =>
  runtimeRig(replies, {
    ...options,
    deps: { ...options.deps, settings: () => ({ thinking: 'off', turnMs: 60_000, directives }) },
  });

const results = (r: ReturnType<typeof rig>) =>
  r.transcripts
    .load('ch|ch_1|msg_1')
    .flatMap(({ message }) => (message.role === 'toolResult' ? [transcriptText(message)] : []));

describe('directives in answers', () => {
  it('run as calls that the gate decides, and create files', async () => {
    const [run, write] = [script(), countingTool('write_file')];
    const answer = `Let me see.\n\n${fence('python:execute', 'print(1)')}\n${fence('a/b.md:create', '# A')}`;
    const r = rig([pieces(answer), says('done')], { tools: [run, write] });
    r.say('go');
    const events = await r.run();
    expect(r.checked.map(({ tool, args }) => [tool, args])).toEqual([
      ['run_script', { language: 'python', code: 'print(1)' }],
      ['write_file', { path: 'a/b.md', content: '# A\n' }],
    ]);
    expect(results(r)).toEqual(['ran python: print(1)', 'wrote a/b.md']);
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['done'] });
    // The model sees its prose, and its directives as calls.
    const [, second] = r.asked;
    const said = second?.context.messages.find(({ role }) => role === 'assistant');
    expect(said?.content).toMatchObject([
      { text: 'Let me see.' },
      { type: 'toolCall' },
      { type: 'toolCall' },
    ]);
    const shown = events.flatMap((event) => (event.type === 'text_delta' ? [event.text] : [])).join('');
    expect(shown).not.toContain('print(1)');
  });

  it('of one group run concurrently', async () => {
    const open: (() => void)[] = [];
    const run = {
      ...script(),
      execute: () =>
        new Promise<{ content: [] }>((resolve) => {
          open.push(() => resolve({ content: [] }));
          // Only when both are open does one of them end.
          if (open.length === 2) for (const end of open) end();
        }),
    };
    const r = rig([pieces(fence('python:execute', '1') + fence('node:execute', '2')), says('done')], {
      tools: [run],
    });
    r.say('go');
    expect((await r.run()).at(-1)?.type).toBe('turn_done');
    expect(open).toHaveLength(2);
  });

  it('stop at prose: the request is aborted, and nothing after it counts', async () => {
    const run = script();
    const chunks = [
      fence('python:execute', '1'),
      'The result is 42.\n',
      fence('bash:execute', 'rm -rf .'),
      'never read',
    ];
    // The stream stalls after the prose: only the abort ends it.
    const r = rig([{ blocks: [{ type: 'text', chunks }], hangAfter: 2 }, says('done')], { tools: [run] });
    r.say('go');
    const events = await r.run();
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['done'] });
    expect(r.checked.map(({ args }) => args)).toEqual([{ language: 'python', code: '1' }]);
    expect(JSON.stringify(r.asked[1]?.context.messages)).not.toContain('The result is');
  });

  it('never run when they were cut off or are of an unknown target', async () => {
    const run = script();
    const cut: ScriptedReply = { ...pieces('```python:execute\nprint('), stopReason: 'length' };
    const r = rig([cut, pieces(fence('ruby:execute', 'puts 1')), says('done')], { tools: [run] });
    r.say('go');
    await r.run();
    expect(results(r)[0]).toContain('Send it again, shorter');
    expect(results(r)[1]).toContain('language');
    expect(run.done).toEqual([]);
    const open = rig([pieces('```python:execute\nprint(1)')], { tools: [script()] });
    open.say('go');
    expect((await open.run()).at(-1)).toMatchObject({ parts: ['```python:execute\nprint(1)'] });
  });

  it('stay in the text for a model without native calls', async () => {
    const run = script();
    const facts = {
      contextWindow: null,
      maxOutputTokens: null,
      answerTokens: null,
      temperature: null,
      vision: null,
      nativeTools: false,
      price: null,
    };
    const r = rig([pieces(fence('python:execute', '1')), says('done')], {
      tools: [run],
      deps: { facts: () => facts },
    });
    r.say('go');
    const events = await r.run();
    expect(JSON.stringify(r.asked[1]?.context.messages)).toContain('python:execute');
    expect(events.at(-1)).toMatchObject({ parts: ['done'] });
  });

  it('use the shell or the confined commands of an agent without scripts', async () => {
    const shell = countingTool('bash_exec', {
      parameters: { type: 'object', properties: { cmd: { type: 'string' } } },
    });
    const r = rig([pieces(fence('sh:execute', 'ls')), says('done')], { tools: [shell] });
    r.say('go');
    await r.run();
    expect(r.checked.map(({ tool, args }) => [tool, args])).toEqual([['bash_exec', { cmd: 'ls' }]]);
    expect(r.asked[0]?.context.system).toContain('Targets: bash.');
  });

  it('are text unless the agent’s file enables them', async () => {
    const answer = fence('python:execute', '1');
    const r = rig([pieces(answer)], { tools: [script()] }, false);
    r.say('go');
    expect((await r.run()).at(-1)).toMatchObject({ parts: [answer] });
    expect(r.checked).toEqual([]);
    expect(r.asked[0]?.context.system).toBe('S');
  });
});
