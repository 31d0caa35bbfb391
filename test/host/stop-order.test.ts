import { expect, it } from 'vitest';
import { createScope, type Scope } from '../../src/core/lib/scope.ts';
import { buildFeatures } from '../../src/host/build-features.ts';
import { newHome, testPorts } from './host-rig.ts';

it('ends entry points first, then agents and their work, then stores, the operator and the feed', async () => {
  const place = newHome();
  const ports = await testPorts(place.home);
  const inner = createScope(ports);
  const names: string[] = [];
  const scope: Scope = {
    ...inner,
    add(name, dispose) {
      names.unshift(name);
      inner.add(name, dispose);
    },
  };
  buildFeatures(ports, scope, () => 'ready');
  await inner.dispose();
  place.remove();
  expect(names).toEqual([
    'logins',
    'proxy',
    'bridge',
    'data service',
    'mcp',
    'identity',
    'contacts',
    'agents',
    'workflows',
    'open questions',
    'tasks',
    'fleet',
    'approvals',
    'MCP servers',
    'agent programs',
    'model relay',
    'undo topic',
    'restore points',
    'usage',
    'operator',
    'servers',
    'relay',
    'chat',
    'work',
    'logs',
    'plan pauses',
    'topics',
  ]);
});
