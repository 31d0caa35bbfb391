import { expect, it } from 'vitest';
import { agentConfigSchema, parseAgentConfig } from '../../core/agents/agent-config.ts';
import { readYaml } from '../../core/lib/yaml-document.ts';
import { permissionsOf, withoutPermissions } from './permissions.ts';

it('T9 An untrusted import loses the permission to answer strangers, which the import lists', () => {
  const config = agentConfigSchema().parse({ triggers: { hold_first_contact: false } });
  expect(permissionsOf(config)).toEqual(['answers people whom you do not know']);
  const document = readYaml('triggers:\n  on_dm: false\n  hold_first_contact: false\n');
  if (!document.ok) throw new Error('no YAML');
  withoutPermissions(config, document.value);
  const left = parseAgentConfig(document.value);
  expect(left.ok && left.value.triggers).toMatchObject({ on_dm: false, hold_first_contact: true });
});
