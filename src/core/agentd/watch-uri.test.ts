import { describe, expect, it } from 'vitest';
import { FakeMcpServer, fakeConnector, textResult } from '../../../test/fakes/fake-mcp-server.ts';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import { ServerLink } from './server-link.ts';
import { watchUri } from './watch-uri.ts';

function rig(uri: string, ...servers: readonly FakeMcpServer[]) {
  const clock = createVirtualClock();
  const connector = fakeConnector(Object.fromEntries(servers.map((server, n) => [`s${n}`, server])));
  const links = servers.map((_, n) => {
    const config = { type: 'stdio' as const, command: `s${n}`, args: [], env: {} };
    return new ServerLink('a', { name: `s${n}`, config, toolFilter: null, allow: [], deny: [] }, connector);
  });
  const seen: string[] = [];
  const failures: (string | null)[] = [];
  const ending = new AbortController();
  const deps = { clock, random: { fraction: () => 0.5 }, sha256: sha256Hex, links, pollMs: 1_000 };
  const listener = {
    observed: (_uri: string, { text }: { readonly text: string }) => void seen.push(text),
    failed: (_uri: string, error: { readonly code: string } | null) =>
      void failures.push(error?.code ?? null),
  };
  const ended = watchUri(uri, deps, listener, ending.signal);
  const stop = async (): Promise<void> => {
    ending.abort();
    await ended;
    await Promise.all(links.map((link) => link.close()));
  };
  return { clock, seen, failures, stop };
}

describe('Watch of a tool', () => {
  it('calls it with typed arguments at its interval, and reports the structured result', async () => {
    let n = 0;
    const server = new FakeMcpServer({
      name: 'count',
      inputSchema: { type: 'object', properties: { from: { type: 'integer' } } },
      run: () => ({ content: [], structured: { n: ++n }, isError: false }),
    });
    const { clock, seen, stop } = rig('tool://count/?from=3#poll=5', server);
    await clock.advance(10_000);
    expect(server.calls).toEqual(Array.from({ length: 3 }, () => ({ name: 'count', args: { from: 3 } })));
    expect(seen.map((text) => JSON.parse(text))).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    await stop();
    await clock.advance(60_000);
    expect(server.calls).toHaveLength(3);
    expect(clock.pending()).toBe(0);
  });

  it('reports a failure once, tries again with back-off, and says when it works again', async () => {
    let isBroken = true;
    const server = new FakeMcpServer({ name: 't', run: () => textResult('x', isBroken) });
    const { clock, seen, failures, stop } = rig('tool://t', server);
    await clock.advance(20_000);
    const calls = server.calls.length;
    expect(calls).toBeGreaterThan(3);
    expect(calls).toBeLessThan(7);
    isBroken = false;
    await clock.advance(20_000);
    expect(failures).toEqual(['unavailable', null]);
    expect(seen[0]).toBe('x');
    await stop();
  });

  it('reports an unknown tool instead of ending', async () => {
    const { failures, clock, stop } = rig(
      'tool://none',
      new FakeMcpServer({ name: 't', run: () => textResult('') }),
    );
    await clock.advance(1);
    expect(failures).toEqual(['not_found']);
    await stop();
  });

  it('finds the tool of one server by its name', async () => {
    const [one, two] = [1, 2].map((n) => new FakeMcpServer({ name: 't', run: () => textResult(`${n}`) }));
    if (!one || !two) throw new Error('no servers');
    const { seen, clock, stop } = rig('tool://s1.t', one, two);
    await clock.advance(1);
    expect(seen).toEqual(['2']);
    await stop();
  });
});

describe('Watch of a resource', () => {
  it('subscribes at the server that has it, and reads it after each notification', async () => {
    const [other, server] = [new FakeMcpServer(), new FakeMcpServer()];
    server.resources.set('docs://a', 'one');
    const { clock, seen, stop } = rig('docs://a', other, server);
    await settle();
    expect([...server.subscribed]).toEqual(['docs://a']);
    await clock.advance(3_600_000);
    expect(seen).toEqual(['one']);
    server.change('docs://a', 'two');
    await settle();
    expect(seen).toEqual(['one', 'two']);
    await stop();
    expect(server.subscribed.size).toBe(0);
    expect(server.open + other.open).toBe(0);
  });

  it('subscribes again after a lost connection, and sees what changed meanwhile', async () => {
    const server = new FakeMcpServer();
    server.resources.set('docs://a', 'one');
    const { clock, seen, failures, stop } = rig('docs://a', server);
    await settle();
    server.isReachable = false;
    server.lose();
    server.change('docs://a', 'two');
    await clock.advance(10_000);
    server.isReachable = true;
    await clock.advance(130_000);
    expect(seen).toEqual(['one', 'two']);
    expect(failures).toEqual(['unavailable', null]);
    server.change('docs://a', 'three');
    await settle();
    expect(seen.at(-1)).toBe('three');
    await stop();
  });

  it('polls at a server without subscriptions', async () => {
    const server = new FakeMcpServer();
    server.canSubscribe = false;
    server.resources.set('docs://a', 'one');
    const { clock, seen, stop } = rig('docs://a', server);
    await clock.advance(2_000);
    expect(seen).toEqual(['one', 'one', 'one']);
    await stop();
  });
});
