import { describe, expect, it } from 'vitest';
import type { CryptoEngine } from '../../core/ports.ts';
import { knownAnswers } from './known-answers.ts';
import { createNobleEngine } from './noble-engine.ts';
import { chooseEngine, type EngineSource, selectCryptoEngine, selfTest } from './select-engine.ts';

const noble = createNobleEngine();
const source = (name: string, change: Partial<CryptoEngine> = {}): EngineSource => ({
  name,
  load: async () => ({ ...noble, name, ...change }),
});
const now = async (): Promise<void> => undefined;
const absent: EngineSource = {
  name: 'absent',
  load: async () => {
    throw new Error('no binary for this machine');
  },
};

describe('Crypto engine selection', () => {
  it('selects sodium here and finds all engines correct', async () => {
    const selected = await selectCryptoEngine();
    expect(selected.ok && selected.value.engine.name).toBe('sodium');
    expect(selected.ok && (await selected.value.agreed)).toEqual({
      chosen: 'sodium',
      questions: knownAnswers.length,
      engines: ['sodium', 'node', 'noble'].map((name) => ({ name, fault: null })),
    });
    expect(await selectCryptoEngine()).toBe(selected);
    expect(knownAnswers.length).toBeGreaterThanOrEqual(40);
  });

  it('skips an engine that is missing or gives wrong results, and reports why', async () => {
    const broken = source('broken', { sha256: (data) => noble.sha256(data).reverse() });
    const throwing = source('throwing', {
      x25519: () => {
        throw new Error('no curve');
      },
    });
    const lying = source('lying', { aeadOpen: () => null });
    const selected = await chooseEngine(
      [absent, broken, throwing, source('good'), lying, source('slower')],
      now,
    );
    expect(selected.ok && selected.value.engine.name).toBe('good');
    expect(selected.ok && (await selected.value.agreed)).toEqual({
      chosen: 'good',
      questions: knownAnswers.length,
      engines: [
        { name: 'absent', fault: 'could not be loaded: no binary for this machine' },
        { name: 'broken', fault: 'wrong answer: sha256 empty' },
        { name: 'throwing', fault: 'failed at x25519 rfc7748 1: no curve' },
        { name: 'good', fault: null },
        { name: 'lying', fault: 'wrong answer: aead open: good' },
        { name: 'slower', fault: null },
      ],
    });
  });

  it('starts without loading engines that are not needed yet', async () => {
    const loaded: string[] = [];
    const watched = (name: string): EngineSource => ({
      name,
      load: async () => {
        loaded.push(name);
        return { ...noble, name };
      },
    });
    let goOn: () => void = () => undefined;
    const pause = () => new Promise<void>((resolve) => (goOn = resolve));
    const selected = await chooseEngine([watched('first'), watched('second')], pause);
    expect(loaded).toEqual(['first']);
    goOn();
    expect(selected.ok && (await selected.value.agreed).engines.length).toBe(2);
    expect(loaded).toEqual(['first', 'second']);
  });

  it('returns an error if no engine is usable', async () => {
    const lenient = source('lenient', { ed25519Verify: () => true });
    const selected = await chooseEngine([absent, lenient], now);
    expect(selected).toMatchObject({ ok: false, error: { code: 'unsupported' } });
    expect(selected.ok ? '' : selected.error.message).toContain('lenient (wrong answer: ed25519 verify');
  });

  it('tests every function of an engine (T30)', async () => {
    const wrong: Partial<CryptoEngine> = {
      sha256: () => new Uint8Array(32),
      hmacSha256: () => new Uint8Array(32),
      ed25519KeyPair: () => ({ secret: new Uint8Array(32), public: new Uint8Array(32) }),
      ed25519Sign: () => new Uint8Array(64),
      ed25519Verify: () => false,
      x25519KeyPair: () => ({ secret: new Uint8Array(32), public: new Uint8Array(32) }),
      x25519: () => new Uint8Array(32),
      aeadSeal: (_key, _nonce, _aad, plaintext) => new Uint8Array(plaintext.length + 16),
      aeadOpen: () => new Uint8Array(0),
      aeadSealStream: () => ({ update: (piece) => piece, finish: () => new Uint8Array(16) }),
      aeadOpenStream: () => ({ update: (piece) => piece, finish: () => true }),
    };
    for (const [name, method] of Object.entries(wrong)) {
      expect(await selfTest({ ...noble, [name]: method }), name).not.toBeNull();
    }
    const acceptsLowOrder = {
      x25519: (s: Uint8Array, p: Uint8Array) => noble.x25519(s, p) ?? new Uint8Array(32),
    };
    expect(await selfTest({ ...noble, ...acceptsLowOrder })).toBe('wrong answer: x25519 low order 1');
    expect(await selfTest(noble)).toBeNull();
  });
});
