import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keysOf } from '../../../test/fakes/keys-of.ts';
import { readYaml, writeYaml } from '../lib/yaml-document.ts';
import {
  type AgentConfig,
  agentConfigObject,
  agentConfigSchema,
  isAgentId,
  isConfigured,
  parseAgentConfig,
} from './agent-config.ts';

const vectors = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../test/fixtures/conformance/puffo-local.json'), 'utf8'),
);
const parse = (yaml: string) => {
  const document = readYaml(yaml);
  return document.ok ? parseAgentConfig(document.value) : document;
};
const config = (yaml: string): AgentConfig => {
  const parsed = parse(yaml);
  if (!parsed.ok) throw new Error(`${parsed.error.message} ${parsed.error.where}`);
  return parsed.value;
};

describe('agent.yml', () => {
  it('has an example file with every key and its default', () => {
    const text = readFileSync(path.join(import.meta.dirname, '../../../resources/agent.example.yml'), 'utf8');
    const document = readYaml(text);
    if (!document.ok) throw new Error(document.error.message);
    expect(parseAgentConfig(document.value)).toEqual({ ok: true, value: config('') });
    expect(keysOf(Object(document.value.value))).toEqual(expect.arrayContaining(keysOf(config(''))));
  });

  it('uses the defaults of spec §5 for missing or empty keys', () => {
    expect(config('')).toEqual(config('puffo_core:\nruntime:\ntriggers:\nrole:\nstate:\n'));
    expect(config('')).toEqual({
      state: 'running',
      display_name: '',
      avatar_url: '',
      role: '',
      role_short: '',
      created_at: 0,
      puffo_core: {
        server_url: 'https://chat.puffo.ai/relay',
        slug: '',
        device_id: '',
        space_id: '',
        operator_slug: '',
      },
      runtime: {
        kind: 'chat-local',
        provider: '',
        model: '',
        base_url: '',
        api_key: '',
        allowed_tools: [],
        docker_image: '',
        docker_memory_limit: '',
        docker_memory_reservation: '',
        permission_mode: 'bypassPermissions',
        harness: 'claude-code',
        command: [],
        max_turns: 10,
        thinking: 'off',
        context_window: null,
        max_output_tokens: null,
        temperature: null,
        native_tools: null,
        price: null,
      },
      profile: 'profile.md',
      memory_dir: 'memory',
      workspace_dir: 'workspace',
      triggers: { on_mention: true, on_dm: true, hold_first_contact: true, channels: {} },
      tools: { allow: [], alsoAllow: [], deny: [], subagents: [] },
      bash: { allowed_roots: [], writable_roots: [], timeout_s: 15, max_output_chars: 20_000 },
      shell: { unsandboxed: false, network: false, linked_files: false, allowed_hosts: [] },
      tasks: { worktree: false },
      policy: { mode: 'ask', rules: [] },
      budget: { tokens_per_day: null, tokens_per_month: null, usd_per_day: null, usd_per_month: null },
      on_arrival: 'steer',
      answer_within_hours: 0,
      mcp_servers: [],
      directives: false,
      introduce: true,
    });
  });

  it('is written exactly as puffo-agent writes it', () => {
    const recorded: string = vectors.bridge.files_written_by_create['agent.yml'];
    expect(writeYaml(agentConfigObject('helper-9a7c', config(recorded)))).toBe(recorded);
    expect(isConfigured(config(recorded))).toBe(true);
  });

  it.each(['server_url', 'slug', 'device_id', 'space_id'])('is incomplete without %s', (key) => {
    const whole = { server_url: 'http://x', slug: 'a-1', device_id: 'd', space_id: 's' };
    const with_ = (core: object) => agentConfigSchema().parse({ puffo_core: core });
    expect(isConfigured(with_(whole))).toBe(true);
    expect(isConfigured(with_({ ...whole, [key]: '' }))).toBe(false);
  });

  it('validates model limits and price strictly, and writes only those that are set', () => {
    const lines = 'context_window: 32768\n  temperature: 0\n  price: {input: 0.5, output: 1.5}\n';
    const read = config(`runtime:\n  ${lines}`);
    expect(read.runtime).toMatchObject({ context_window: 32_768, temperature: 0, max_output_tokens: null });
    const written = writeYaml(agentConfigObject('a', read));
    expect(written).toMatch(/context_window: 32768/);
    expect(written).not.toMatch(/max_output_tokens|native_tools/);
    for (const bad of [
      'context_window: 1000',
      'context_window: 8k',
      'max_output_tokens: 1.5',
      'temperature: 2.1',
      'native_tools: maybe',
      'price: {input: 1}',
      'price: {input: -1, output: 1}',
      'price: 5',
      'price: {input: 1, output: 1, cached: 1}',
    ]) {
      const document = readYaml(`runtime:\n  ${bad}\n`);
      const parsed = document.ok ? parseAgentConfig(document.value) : document;
      expect(parsed, bad).toMatchObject({ error: { code: 'invalid_input', where: 'line 2' } });
    }
  });

  it.each(['--privileged', '-v /:/host', 'a b', 'a\nb', '$(id)'])('T13: %s is no image', (image) => {
    const parsed = agentConfigSchema().safeParse({ runtime: { docker_image: image } });
    expect(parsed.error?.issues.map(({ message }) => message)).toEqual(['is not the name of an image']);
    expect(
      agentConfigSchema().parse({ runtime: { docker_image: 'localhost/a:1' } }).runtime.docker_image,
    ).toBe('localhost/a:1');
  });

  it('accepts the old names of runtime kinds', () => {
    expect(config('runtime:\n  kind: chat-only\n').runtime.kind).toBe('chat-local');
    expect(config('runtime:\n  kind: sdk\n').runtime.kind).toBe('sdk-local');
  });

  it.each([
    ['runtime:\n  kind: cli-sandbox\n', 'runtime.kind must be one of', 'line 2'],
    ['state: asleep\n', 'state must be running or paused', 'line 1'],
    ['display_name: 42\n', 'display_name must be text; put it in quotes', 'line 1'],
    [`# x\nrole: ${'é'.repeat(141)}\n`, 'role must have at most 140 characters', 'line 2'],
    ['puffo_core:\n  server_url: ftp://x\n', 'puffo_core.server_url must be an address', 'line 2'],
    ['puffo_core:\n  slug: ../../x\n', 'puffo_core.slug is not a Puffo handle', 'line 2'],
    ['runtime:\n  max_turns: 0\n', 'runtime.max_turns', 'line 2'],
    ['runtime: fast\n', 'runtime must hold keys and values', 'line 1'],
    ['triggers:\n  on_dm: maybe\n', 'triggers.on_dm must be true or false', 'line 2'],
    ['triggers:\n  channels:\n    ch_1: loud\n', 'triggers.channels.ch_1', 'line 3'],
  ])('reports what is wrong with %j and the line', (yaml, message, where) => {
    expect(parse(yaml)).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: expect.stringContaining(message), where },
    });
  });

  it('counts code points, not UTF-16 units, for length limits', () => {
    expect(config(`role_short: ${'🐶'.repeat(32)}\n`).role_short).toHaveLength(64);
  });

  it('survives a write and read unchanged (round trip)', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 12 });
    const wish = fc.record({
      state: fc.constantFrom('running', 'paused'),
      display_name: words,
      role: words,
      created_at: fc.nat(),
      puffo_core: fc.record({ device_id: words, space_id: words }),
      runtime: fc.record({
        model: words,
        base_url: words,
        allowed_tools: fc.array(words, { maxLength: 3 }),
        max_turns: fc.integer({ min: 1, max: 99 }),
      }),
      triggers: fc.record({
        on_dm: fc.boolean(),
        hold_first_contact: fc.boolean(),
        channels: fc.dictionary(words, fc.constantFrom('all', 'mention', 'never'), { noNullPrototype: true }),
      }),
    });
    fc.assert(
      fc.property(wish, (given) => {
        const meant = agentConfigSchema().parse(given);
        expect(config(writeYaml(agentConfigObject('a', meant)))).toEqual(meant);
      }),
      { numRuns: 150 },
    );
  });
});

describe('Agent ids', () => {
  it.each(vectors.agent_id_valid as { id: string; valid: boolean }[])(
    '$id is valid: $valid',
    ({ id, valid }) => {
      expect(isAgentId(id)).toBe(valid);
    },
  );

  it.each(['', '.', '..', 'a/b', 'a\\b', 'a\0b', 'a\n', '-a', 'a.b'])('refuses %j as a folder name', (id) => {
    expect(isAgentId(id)).toBe(false);
  });
});
