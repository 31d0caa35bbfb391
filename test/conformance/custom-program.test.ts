import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { customRecipe } from '../../src/host/harnesses/acp-recipes.ts';
import { openProgram } from '../../src/host/harnesses/cli-local.ts';
import { claudeRig } from '../fakes/claude-rig.ts';
import { createClaudeWall } from './claude-wall.ts';

const fakes = path.join(import.meta.dirname, '../fakes');

let end = async (): Promise<void> => undefined;
afterEach(() => end());

async function withCommand(command: readonly string[]) {
  const config = {
    runtime: { kind: 'cli-local', harness: 'custom', command },
    bash: { allowed_roots: [fakes] },
  };
  const model = { provider: 'openai', adapter: 'openai-completions', model: 'm' } as const;
  const wall = await createClaudeWall({
    program: process.execPath,
    modelUrl: 'http://127.0.0.1:9',
    other: { recipe: customRecipe, model, config },
  });
  const rig = claudeRig({
    agent: (parts) => wall.agent(parts),
    runtime: (deps) => openProgram('custom', deps),
  });
  end = async () => {
    await rig.end();
    await wall.end();
  };
  return rig;
}

describe('Program that agent.yml names', () => {
  it('runs in a wall, and its requests reach the gate (T14)', async () => {
    const rig = await withCommand([process.execPath, path.join(fakes, 'fake-acp.ts')]);
    const edit = { kind: 'edit', content: [{ type: 'diff', path: `${rig.workspace}/a.txt`, newText: 'x' }] };
    rig.say(`call ${JSON.stringify(edit)}\nsay Hello.`);
    expect((await rig.run()).at(-1)).toMatchObject({ type: 'turn_done', parts: ['Hello.'] });
    expect(rig.checked).toMatchObject([{ tool: 'write_file' }]);
    expect(rig.files()).toContain('a.txt');
  });

  it('is named if it was not found', async () => {
    const rig = await withCommand(['no-such-program', '--acp']);
    rig.say('hi');
    expect((await rig.run()).at(-1)).toMatchObject({
      type: 'turn_failed',
      error: { code: 'not_found', message: expect.stringContaining('no-such-program') as string },
    });
  });
});
