import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import { createAgentFolders } from '../fleet/agent-folders.ts';
import { createWorkflowFiles } from '../workflows/workflow-files.ts';
import { type AgentControlDeps, findAgentControl, isControlledByAgents } from './agent-control.ts';

let place: string;
eachTestInFolder('kennel-hands-', (made) => {
  place = made;
});

function rig() {
  const [home, shared] = [join(place, 'home'), join(place, 'shared')];
  const folder = join(home, 'agents', 'guide');
  const workflows = join(home, 'workflows');
  for (const path of [join(folder, 'workspace'), workflows, shared, join(place, 'mine')])
    mkdirSync(path, { recursive: true });
  const config = agentConfigSchema().parse({
    display_name: 'Guide',
    workspace_dir: 'workspace',
    bash: { writable_roots: [shared, place] },
  });
  const parts: AgentControlDeps = {
    agents: {
      list: () => [{ id: 'guide', folder, config, lastGood: config, error: null, requests: [] }],
    },
    folders: createAgentFolders({ home, env: {}, log: createRecordingLog(), workingDir: () => '' }),
    workflowFolder: workflows,
    files: async () => createWorkflowFiles(workflows, null),
  };
  return { parts, folder, workflows, shared };
}

it('A workflow file that an agent can write is refused for schedules under any path (T9, T14)', () => {
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
    expect(findAgentControl(parts, file)?.message, file).toContain('Guide can change this file');
});

it('A workflow file of the operator is accepted, also below a refused agent root', () => {
  const { parts, workflows } = rig();
  for (const file of ['weekly.puppy', join(workflows, 'weekly.puppy'), join(place, 'mine', 'weekly.puppy')])
    expect(findAgentControl(parts, file), file).toBeNull();
});

it('A path through a link that an agent can change is refused, whatever its target (T9, T14)', () => {
  const { parts, shared } = rig();
  const mine = join(place, 'mine');
  writeFileSync(join(mine, 'own.puppy'), '');
  symlinkSync(join(mine, 'own.puppy'), join(shared, 'turned.puppy'));
  symlinkSync(mine, join(shared, 'folder'));
  symlinkSync(join(shared, 'folder'), join(mine, 'detour'));
  for (const file of [
    join(shared, 'turned.puppy'),
    join(shared, 'folder', 'own.puppy'),
    join(mine, 'detour', 'own.puppy'),
  ])
    expect(findAgentControl(parts, file)?.code, file).toBe('forbidden');
  symlinkSync(join(mine, 'round.puppy'), join(mine, 'round.puppy'));
  for (const file of ['own.puppy', 'round.puppy'])
    expect(findAgentControl(parts, join(mine, file)), file).toBeNull();
});

it('A parent path after a link is resolved as the operating system does (T9, T14)', () => {
  const { parts, shared } = rig();
  const mine = join(place, 'mine');
  mkdirSync(join(mine, 'deep', 'inner'), { recursive: true });
  writeFileSync(join(mine, 'deep', 'x.puppy'), '');
  symlinkSync(join(mine, 'deep', 'inner'), join(shared, 'turn'));
  symlinkSync(join(shared, 'turn'), join(mine, 'd'));
  symlinkSync('d/../x.puppy', join(mine, 'wf.puppy'));
  expect(findAgentControl(parts, join(mine, 'wf.puppy'))?.code).toBe('forbidden');
  symlinkSync('deep/inner/../x.puppy', join(mine, 'own.puppy'));
  expect(findAgentControl(parts, join(mine, 'own.puppy'))).toBeNull();
});

it('A workflow is refused if it starts, at any depth, a file that an agent can write (T9)', async () => {
  const { parts, shared, workflows } = rig();
  const write = (file: string, next: string): void =>
    writeFileSync(file, `steps:\n  - {id: a, workflow: ${JSON.stringify(next)}}\n`);
  const leaf = (file: string): void => writeFileSync(file, 'steps:\n  - {id: a, run: "true"}\n');
  leaf(join(workflows, 'leaf.puppy'));
  write(join(workflows, 'good.puppy'), 'leaf.puppy');
  expect(await isControlledByAgents(parts, 'good.puppy')).toBeNull();

  write(join(workflows, 'middle.puppy'), join(shared, 'leaf.puppy'));
  write(join(workflows, 'outer.puppy'), 'middle.puppy');
  // Also if the agent has not created the file yet.
  for (const make of [() => undefined, () => leaf(join(shared, 'leaf.puppy'))]) {
    make();
    const held = await isControlledByAgents(parts, 'outer.puppy');
    expect(held).toMatchObject({ code: 'forbidden', where: 'outer.puppy' });
    expect(held?.message).toContain(
      `Guide can change ${join(shared, 'leaf.puppy')}, which this workflow starts`,
    );
  }
});
