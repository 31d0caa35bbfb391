import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { ProgramSetup } from '../../core/runtimes/program/program-ports.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { createDisk } from '../../services/disk/disk.ts';
import { customRecipe } from './acp-recipes.ts';
import { createProgramAgent, type ProgramAgentDeps } from './program-agent.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-trust-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function agent() {
  const deps = {
    clock: createVirtualClock(),
    disk: createDisk(createSystemRandom()),
    programs: { sandbox: async () => null },
  } as unknown as ProgramAgentDeps;
  const loaded = { id: 'ada', folder } as LoadedAgent;
  return createProgramAgent(
    deps,
    customRecipe,
    () => loaded,
    () => ({}) as AgentConfig,
  );
}
const running = (...command: string[]) => ({ command }) as unknown as ProgramSetup;

describe('Trust in a program without a sandbox', () => {
  it('T8: belongs to one command, and another one is asked about anew', () => {
    const ada = agent();
    expect(ada.isTrusted(running('goose', 'acp'))).toBe(false);
    expect(ada.trust(running('goose', 'acp')).ok).toBe(true);
    expect(ada.isTrusted(running('goose', 'acp'))).toBe(true);
    expect(ada.isTrusted(running('sh', '-c', 'id'))).toBe(false);
    expect(ada.isTrusted(running('goose', 'acp', '--yolo'))).toBe(false);
  });

  it('stays for a program that Kennel knows, and not for an unknown command', () => {
    const ada = agent();
    ada.trust(running());
    writeFileSync(join(folder, 'harness', 'custom', 'trusted.json'), '{"at":1}\n');
    expect(ada.isTrusted(running())).toBe(true);
    expect(ada.isTrusted(running('goose', 'acp'))).toBe(false);
  });
});
