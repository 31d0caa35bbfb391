import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { type ChooseModelInput, chooseModel } from './choose-model.ts';
import { createProviderGate } from './provider-gate.ts';

const nothing: ChooseModelInput = {
  agent: { provider: '', model: '', baseUrl: '' },
  defaultProvider: 'anthropic',
  daemonFor: () => ({ model: '', baseUrl: '' }),
  keyFor: () => null,
  adapters: ['openai-responses', 'openai-completions', 'stream-proxy', 'scripted'],
  isScriptAllowed: () => true,
};
const keys =
  (...providers: readonly string[]): ChooseModelInput['keyFor'] =>
  (id) =>
    providers.includes(id) ? { key: `key-${id}`, source: 'environment', auth: 'api_key' } : null;
const agent = (change: Partial<ChooseModelInput['agent']>) => ({ ...nothing.agent, ...change });

describe('chooseModel', () => {
  it.each<[string, Partial<ChooseModelInput>, Record<string, unknown>]>([
    ['nothing configured', {}, { provider: 'scripted', scripted: true, reason: 'nothing_configured' }],
    [
      'first key found',
      { keyFor: keys('openai') },
      { provider: 'openai', model: 'gpt-4o', reason: 'first_key' },
    ],
    [
      'the default provider with a key',
      { defaultProvider: 'openai', keyFor: keys('openai', 'openrouter') },
      { provider: 'openai', apiKey: 'key-openai', reason: 'daemon' },
    ],
    [
      'a key for a provider without adapter is passed over',
      { keyFor: keys('anthropic') },
      { provider: 'scripted' },
    ],
    [
      'anthropic once there is an adapter',
      { keyFor: keys('anthropic'), adapters: ['anthropic'] },
      { provider: 'anthropic', model: 'claude-sonnet-4-6', reason: 'daemon' },
    ],
    [
      'the agent over everything',
      { agent: agent({ provider: 'ollama', model: 'llama' }), keyFor: keys('openai') },
      {
        provider: 'ollama',
        model: 'llama',
        baseUrl: 'http://127.0.0.1:11434/v1',
        apiKey: null,
        reason: 'agent',
      },
    ],
    [
      'a base URL alone',
      { agent: agent({ baseUrl: 'http://box:9/v1', model: 'm' }) },
      { provider: 'openai-compatible', baseUrl: 'http://box:9/v1' },
    ],
    [
      'openai speaks its newest interface at home',
      { agent: agent({ provider: 'openai' }), keyFor: keys('openai') },
      { adapter: 'openai-responses', auth: 'api_key' },
    ],
    [
      'openai at another address speaks the interface that others imitate',
      { agent: agent({ provider: 'openai', baseUrl: 'http://box:9/v1' }), keyFor: keys('openai') },
      { adapter: 'openai-completions', baseUrl: 'http://box:9/v1' },
    ],
    [
      'a login is presented as one',
      {
        agent: agent({ provider: 'openrouter', model: 'm' }),
        keyFor: () => ({ key: 't', source: 'login', auth: 'oauth' }),
      },
      { adapter: 'openai-completions', apiKey: 't', auth: 'oauth' },
    ],
    [
      'another Kennel, which chooses the model itself',
      { agent: agent({ provider: 'kennel-proxy', baseUrl: 'http://box:9' }), keyFor: keys('kennel-proxy') },
      { adapter: 'stream-proxy', model: 'default', baseUrl: 'http://box:9' },
    ],
    [
      'scripted by name',
      { agent: agent({ provider: 'scripted' }), keyFor: keys('openai') },
      { scripted: true, reason: 'agent' },
    ],
    [
      'the daemon model under the agent provider',
      {
        agent: agent({ provider: 'openai' }),
        keyFor: keys('openai'),
        daemonFor: () => ({ model: 'd', baseUrl: '' }),
      },
      { model: 'd' },
    ],
  ])('chooses for %s', (_name, change, expected) => {
    const choice = chooseModel({ ...nothing, ...change });
    expect(choice).toMatchObject({ ok: true, value: expected });
  });
  it.each<[string, Partial<ChooseModelInput>, string]>([
    ['an unknown provider', { agent: agent({ provider: 'nope' }) }, 'invalid_input'],
    ['a provider without key', { agent: agent({ provider: 'openai' }) }, 'unauthenticated'],
    [
      'another Kennel without its token',
      { agent: agent({ provider: 'kennel-proxy', baseUrl: 'http://box:9' }) },
      'unauthenticated',
    ],
    [
      'another Kennel without its address',
      { agent: agent({ provider: 'kennel-proxy' }), keyFor: keys('kennel-proxy') },
      'invalid_input',
    ],
    ['a provider without adapter', { agent: agent({ provider: 'google' }) }, 'unsupported'],
    ['a local server without a model', { agent: agent({ provider: 'ollama' }) }, 'invalid_input'],
    [
      'a compatible server without address',
      { agent: agent({ provider: 'openai-compatible', model: 'm' }) },
      'invalid_input',
    ],
  ])('fails without a fallback: %s', (_name, change, code) => {
    expect(chooseModel({ ...nothing, ...change })).toMatchObject({ ok: false, error: { code } });
  });
});

describe('Provider gate', () => {
  const refused = textError('unavailable', '127.0.0.1 cannot be reached (ECONNREFUSED).');
  it('names the failure that closed it, and only a pause that the server asked for as a pause', () => {
    const { gate } = rig();
    for (let n = 0; n < 3; n += 1) gate.failed('s', undefined, refused);
    expect(gate.reason('s')).toEqual(refused);
    gate.failed('s', 5_000, refused);
    expect(gate.reason('s')).toBeNull();
  });
  const rig = () => {
    const clock = createVirtualClock();
    return { clock, gate: createProviderGate({ clock, random: createSeededRandom(3) }) };
  };
  it('F11 blocks for the given interval, then admits one probe while others wait', async () => {
    const { clock, gate } = rig();
    gate.failed('s', 10_000, refused);
    expect(gate.enter('s')).toBe(10_000);
    await clock.advance(9_999);
    expect(gate.enter('s')).toBe(1);
    expect(gate.enter('other')).toBe(0);
    await clock.advance(1);
    expect([gate.enter('s'), gate.enter('s')]).toEqual([0, 500]);
    gate.succeeded('s');
    expect([gate.enter('s'), gate.enter('s')]).toEqual([0, 0]);
  });
  it('F11 admits another probe if the first was aborted', async () => {
    const { clock, gate } = rig();
    gate.failed('s', 1_000, refused);
    await clock.advance(1_000);
    expect([gate.enter('s'), gate.enter('s')]).toEqual([0, 500]);
    gate.abandoned('s');
    expect([gate.enter('s'), gate.enter('s')]).toEqual([0, 500]);
  });
  it('F11 stays closed if an earlier request ends after it closed', async () => {
    const { clock, gate } = rig();
    gate.failed('s', 10_000, refused);
    await clock.advance(4_000);
    gate.succeeded('s');
    expect(gate.enter('s')).toBe(6_000);
    await clock.advance(6_000);
    gate.succeeded('s');
    expect([gate.enter('s'), gate.enter('s')]).toEqual([0, 0]);
  });
  it('F11 closes after three failures with growing delays; a lost probe does not lock it', async () => {
    const { clock, gate } = rig();
    gate.failed('s', undefined, refused);
    gate.failed('s', undefined, refused);
    expect(gate.enter('s')).toBe(0);
    gate.failed('s', undefined, refused);
    const first = gate.enter('s');
    expect(first).toBeGreaterThanOrEqual(1_000);
    await clock.advance(first);
    expect(gate.enter('s')).toBe(0);
    await clock.advance(30_000);
    expect(gate.enter('s')).toBe(0);
    for (let n = 0; n < 10; n += 1) gate.failed('s', undefined, refused);
    expect(gate.enter('s')).toBeGreaterThan(first);
  });
});

describe('chooseModel outside the demo', () => {
  it('never answers with the script unless an agent names it', () => {
    const outside: ChooseModelInput = { ...nothing, isScriptAllowed: () => false };
    expect(chooseModel(outside)).toMatchObject({ ok: false, error: { code: 'unauthenticated' } });
    expect(chooseModel({ ...outside, agent: agent({ provider: 'scripted' }) })).toMatchObject({
      value: { scripted: true },
    });
    expect(chooseModel({ ...outside, keyFor: keys('openai') })).toMatchObject({
      value: { provider: 'openai', scripted: false },
    });
  });
});
