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

it.each([
  ['acceptEdits', 'bypassPermissions'],
  ['plan', 'plan'],
  ['dontAsk', 'dontAsk'],
])('T9 An untrusted import with the permission mode %s of a program gets %s', (mode, kept) => {
  const text = `runtime:\n  kind: cli-docker\n  permission_mode: ${mode}\n  docker_image: evil/image\n`;
  const document = readYaml(text);
  if (!document.ok) throw new Error('no YAML');
  const given = parseAgentConfig(document.value);
  if (!given.ok) throw new Error(given.error.message);
  const listed = permissionsOf(given.value);
  expect(listed).toContain('runs in the container image evil/image');
  expect(listed.includes('changes files in its folders without asking')).toBe(mode !== kept);
  withoutPermissions(given.value, document.value);
  const left = parseAgentConfig(document.value);
  expect(left.ok && left.value.runtime).toMatchObject({
    kind: 'cli-docker',
    permission_mode: kept,
    docker_image: '',
  });
});

it('T8 T14 An untrusted import loses the program that it names, which the import lists', () => {
  const document = readYaml('runtime:\n  kind: cli-local\n  harness: custom\n  command: [sh, -c, id]\n');
  if (!document.ok) throw new Error('no YAML');
  const given = parseAgentConfig(document.value);
  if (!given.ok) throw new Error(given.error.message);
  expect(permissionsOf(given.value)).toEqual(['runs the program sh -c id']);
  withoutPermissions(given.value, document.value);
  const left = parseAgentConfig(document.value);
  expect(left.ok && left.value.runtime.command).toEqual([]);
});
