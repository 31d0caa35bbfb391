import { describe, expect, it } from 'vitest';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import type { McpConnector } from '../../core/mcp/mcp-ports.ts';
import type { HarnessCommand, HarnessProcess } from '../../core/runtimes/harness-ports.ts';
import { OpenCalls } from './open-calls.ts';
import { createServerConnector, createServerStarter } from './server-connector.ts';
import { serverSpec } from './server-specs.ts';
import { storedValue, withValues } from './server-values.ts';

const config = { type: 'stdio', command: 'node', args: ['-v'], env: { OWN: 'value' }, cwd: '/' } as const;

const noSecrets = { get: () => ok(null), set: () => ok(undefined), delete: () => ok(undefined) };

describe('The program of an MCP server', () => {
  it('gets only listed variables of the environment, and its own (T11)', async () => {
    const started: HarnessCommand[] = [];
    const start = createServerStarter({
      env: { PATH: process.env.PATH, HOME: '/home/ada', OPENAI_API_KEY: 'key', KENNEL_HOME: '/k' },
      processes: async () => ({
        async start(command) {
          started.push(command);
          return ok({} as HarnessProcess);
        },
        commandLine: () => Promise.reject(new Error('not used')),
        hasWalls: async () => false,
      }),
    });
    const target = { id: 'shared/a', config: { ...config, args: [...config.args] } };
    await start(target, target.config, new AbortController().signal);
    expect(started[0]?.env).toEqual({ PATH: process.env.PATH, HOME: '/home/ada', OWN: 'value' });
    expect(started[0]?.argv[0]).toMatch(/^\/.*node$/);
    const missing = { ...target.config, command: 'no-such-program' };
    expect(await start(target, missing, new AbortController().signal)).toMatchObject({
      error: { code: 'not_found' },
    });
    expect(started).toHaveLength(1);
  });

  it('does not start if a file of it is not the accepted one any more (T10)', async () => {
    let files = [{ path: '/w/server.js', sha256: 'a' }];
    const connect = createServerConnector({
      connector: { connect: async () => err(textError('unavailable', 'reached')) } satisfies McpConnector,
      values: { env: {}, secrets: noSecrets, addSecret: () => undefined },
      pages: { open: () => undefined, close: () => undefined },
      requests: () => ({}),
      sources: { files: async () => files },
    });
    const at = { name: 'a', agentId: null, source: 'shared', folder: '/' } as const;
    const spec = serverSpec(at, { ...config, args: [] }, files);
    const begin = () => connect(spec, new AbortController().signal, () => undefined, new OpenCalls());
    expect(await begin()).toMatchObject({ error: { message: 'reached' } });
    files = [{ path: '/w/server.js', sha256: 'b' }];
    expect(await begin()).toMatchObject({ error: { code: 'forbidden' } });
  });

  it('gets values of the vault and named variables, and does not start without them', () => {
    const values = new Map([['mcp:shared/a:TOKEN', 'hidden']]);
    const hidden: string[] = [];
    const deps = {
      env: { REGION: 'eu' },
      secrets: {
        get: (scope: string) => ok(values.get(scope) ?? null),
        set: () => ok(undefined),
        delete: () => ok(undefined),
      },
      addSecret: (text: string) => void hidden.push(text),
    };
    const env = { TOKEN: storedValue('TOKEN'), PLACE: '${REGION}', OTHER: '${NONE:-x}' };
    const spec = { key: 'shared/a', folder: '/', config: { ...config, args: ['${REGION}'], env } };
    const full = withValues(spec, deps);
    expect(full).toMatchObject({
      value: { args: ['eu'], env: { TOKEN: 'hidden', PLACE: 'eu', OTHER: 'x' } },
    });
    expect(hidden).toEqual(['hidden']);
    values.clear();
    expect(withValues(spec, deps)).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  });
});
