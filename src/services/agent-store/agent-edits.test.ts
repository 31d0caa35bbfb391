import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import { createDisk } from '../disk/disk.ts';
import { createAgentStore } from './agent-store.ts';
import type { AgentStore } from './agent-types.ts';

let home: string;
let store: AgentStore;
const agent = { id: 'helper', config: agentConfigSchema().parse({}), profile: '# Soul\n' };

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'kennel-edits-'));
  const random = createSeededRandom(7);
  store = createAgentStore({
    home,
    random,
    disk: createDisk(random),
    clock: createVirtualClock(),
    log: createRecordingLog(),
    takeApiKey: () => ok(undefined),
  });
});
afterEach(() => {
  store.stop();
  rmSync(home, { recursive: true, force: true });
});

it('creates an agent’s folder only once all of its contents are written', () => {
  const seen: boolean[] = [];
  const made = store.create({
    ...agent,
    furnish: (folder) => {
      seen.push(existsSync(join(folder, 'keys')), existsSync(join(home, 'agents', 'helper')));
      return ok(undefined);
    },
  });
  expect(made.ok).toBe(true);
  expect(seen).toEqual([true, false]);
});

it('leaves no files if the contents of an agent’s folder cannot be written', () => {
  const full = err(textError('disk_full', 'The disk is full.'));
  expect(store.create({ ...agent, furnish: () => full })).toEqual(full);
  expect(readdirSync(join(home, 'agents'))).toEqual([]);
  expect(store.list()).toEqual([]);
});

it('writes a request as the flag file that other programs know, and publishes the change at once', () => {
  store.create(agent);
  const told: string[][] = [];
  store.onChange((ids) => told.push([...ids]));
  expect(store.request('helper', 'restart').ok).toBe(true);
  expect(readFileSync(join(home, 'agents/helper/.puffo-agent/restart.flag'), 'utf8')).toBe('requested');
  expect(store.get('helper')?.requests).toEqual(['restart']);
  expect(told).toEqual([['helper']]);
  expect(store.request('nobody', 'restart').ok).toBe(false);
});
