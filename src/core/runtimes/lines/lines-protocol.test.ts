import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type ClaudeRig, claudeRig } from '../../../../test/fakes/claude-rig.ts';
import { createProgramRuntime } from '../program/program-runtime.ts';
import { linesReader } from './lines-output.ts';
import { createLinesProtocol } from './lines-protocol.ts';

const program = join(import.meta.dirname, '../../../../test/fakes/fake-lines.ts');

let rigs: ClaudeRig[] = [];
afterEach(async () => {
  await Promise.all(rigs.map((rig) => rig.end()));
  rigs = [];
});

function rig(): ClaudeRig {
  const made = claudeRig({
    trusted: true,
    command: { argv: [process.execPath, program], env: {} },
    runtime: (deps) => createProgramRuntime(deps, createLinesProtocol('hermes', linesReader('hermes'))),
  });
  rigs.push(made);
  return made;
}

describe('Program without a protocol', () => {
  it('gets the prompt and the message on its input, and its output is the answer', async () => {
    const r = rig();
    r.say('say Hello.');
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_done', parts: ['Hello.'] });
    expect(r.session()).toMatch(/^S\n\n/);
  });

  it('goes on in its session with a process per message, without the prompt', async () => {
    const r = rig();
    r.say('say One.');
    await r.run();
    r.nextTurn('say Two.');
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_done', parts: ['Two.'] });
    expect(r.started()).toBe(2);
    expect(r.session().match(/^S$/gm)).toHaveLength(1);
    expect(r.session()).not.toContain('conversation so far');
  });

  it('is told the conversation if it has lost its session', async () => {
    const r = rig();
    r.say('say One.');
    await r.run();
    r.loseSessions();
    r.nextTurn('say Two.');
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_done', parts: ['Two.'] });
    expect(r.session()).toContain('conversation so far');
  });

  it.each([
    ['nothing', 'model_error'],
    ['exit 3', 'unavailable'],
  ])('reports an error after "%s"', async (script, code) => {
    const r = rig();
    r.say(script);
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_failed', error: { code } });
  });

  it('T24: keeps only the start of an endless output', async () => {
    const r = rig();
    r.say('flood 3000');
    const last = (await r.run()).at(-1);
    const length = last?.type === 'turn_done' ? last.parts.join('').length : 0;
    expect(length).toBeGreaterThan(900_000);
    expect(length).toBeLessThanOrEqual(1_000_000);
  });

  it('ends with a stop', async () => {
    const r = rig();
    r.say('hang');
    const run = r.run();
    await expect.poll(() => r.session()).toContain('hang');
    r.abort('stopped');
    expect((await run).at(-1)).toMatchObject({ type: 'turn_failed', error: { code: 'cancelled' } });
  });
});
