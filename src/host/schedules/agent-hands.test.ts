import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import { inAgentHands } from './agent-hands.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'kennel-hands-'));
});
afterEach(() => rmSync(place, { recursive: true }));

function rig() {
  const [home, shared] = [join(place, 'home'), join(place, 'shared')];
  const folder = join(home, 'agents', 'guide');
  const workflows = join(home, 'workflows');
  for (const path of [join(folder, 'workspace'), workflows, shared, join(place, 'mine')])
    mkdirSync(path, { recursive: true });
  const config = agentConfigSchema.parse({
    display_name: 'Guide',
    workspace_dir: 'workspace',
    bash: { writable_roots: [shared, place] },
  });
  const parts = {
    agents: { list: () => [{ id: 'guide', folder, lastGood: config }] },
    settings: { config: () => ({ limits: { working_dir: '' } }) },
    ports: { env: {}, home },
    layout: { workflows },
  } as unknown as Parameters<typeof inAgentHands>[0];
  return { parts, folder, workflows, shared };
}

it('a file that an agent can write is started by nothing but a person, however it is named (T9, T14)', () => {
  const { parts, folder, workflows, shared } = rig();
  writeFileSync(join(shared, 'a.puppy'), '');
  symlinkSync(shared, join(place, 'mine', 'link'));
  symlinkSync(join(shared, 'a.puppy'), join(workflows, 'a.puppy'));
  for (const file of [
    join(folder, 'workspace', 'new.puppy'),
    join(shared, 'a.puppy'),
    join(place, 'mine', 'link', 'a.puppy'),
    join(place, 'mine', '..', 'shared', 'a.puppy'),
    'a.puppy',
  ])
    expect(inAgentHands(parts, file)?.message, file).toContain('Guide can change this file');
});

it('files of the operator are, also beside a root that no agent was given because it holds the data folder', () => {
  const { parts, workflows } = rig();
  for (const file of ['weekly.puppy', join(workflows, 'weekly.puppy'), join(place, 'mine', 'weekly.puppy')])
    expect(inAgentHands(parts, file), file).toBeNull();
});
