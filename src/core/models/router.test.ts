import { describe, expect, it } from 'vitest';
import type { ModelPort } from './model-ports.ts';
import { createModelRouter } from './router.ts';

const port = (api: string): ModelPort => ({ api, stream: () => (async function* () {})() });

describe('Model router', () => {
  it('loads an adapter once, on first use', async () => {
    const router = createModelRouter();
    let loads = 0;
    router.register('google', async () => {
      loads += 1;
      return port(`g${loads}`);
    });
    expect([router.names(), loads]).toEqual([['google'], 0]);
    const both = await Promise.all([router.adapter('google'), router.adapter('google')]);
    expect(both.map((adapter) => adapter?.api)).toEqual(['g1', 'g1']);
    expect(await router.adapter('anthropic')).toBeNull();
  });

  it('replaces an adapter that is registered again, and retries a failed load', async () => {
    const router = createModelRouter();
    router.register('google', async () => port('first'));
    await router.adapter('google');
    let broken = true;
    router.register('google', async () => {
      if (broken) throw new Error('no file');
      return port('second');
    });
    await expect(router.adapter('google')).rejects.toThrow('no file');
    broken = false;
    expect((await router.adapter('google'))?.api).toBe('second');
  });
});
