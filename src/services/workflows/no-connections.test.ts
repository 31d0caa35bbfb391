import { globSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createStepWorld } from '../../../test/fakes/step-world.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const files = globSync('src/{core,services}/workflows/**/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts'),
);
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const connects =
  /from '(?:node:)?(?:net|tls|https?|http2|dgram|dns|ws|undici)(?:\/[a-z]+)?'|\bfetch\(|new (?:WebSocket|EventSource)\b/;
const holdsSecrets = /from '[^']*\/(?:vault|logins|crypto)\/|(?<!['"])process\.env|\bkeychain\b/i;

/** Type imports open no connection. */
const withoutTypes = (text: string): string => text.replace(/^import type .*$/gm, '');

const wasFetch = globalThis.fetch;
const { connect } = net.Socket.prototype;
afterEach(() => {
  globalThis.fetch = wasFetch;
  net.Socket.prototype.connect = connect;
});

describe('Workflow engine', () => {
  it('can open connections in one file only, the gateway module', () => {
    expect(files.length).toBeGreaterThan(60);
    const able = files.filter((file) => connects.test(withoutTypes(textOf(file))));
    expect(able).toEqual(['src/services/workflows/gateway.ts']);
  });

  it('T18: accesses no vault, no key and no environment beyond PATH', () => {
    expect(files.filter((file) => holdsSecrets.test(textOf(file)))).toEqual([]);
    // The guard uses PATH only.
    expect(textOf('src/platform/process-guard.ts').match(/process\.env\.?\w*/g)).toEqual([
      'process.env.PATH',
    ]);
  });

  it('opens no connection while it runs steps and pipelines', async () => {
    const opened: string[] = [];
    globalThis.fetch = async () => {
      opened.push('fetch');
      throw new Error('no connections');
    };
    net.Socket.prototype.connect = function noted(this: net.Socket): net.Socket {
      opened.push('socket');
      return this;
    } as typeof connect;
    const world = createStepWorld();
    try {
      expect(await world.shell('echo hi')).toMatchObject({ type: 'done' });
      expect(await world.pipe('exec echo hi | state.set k | approve')).toMatchObject({ type: 'halted' });
      expect(opened).toEqual([]);
      await world.pipe('openclaw.invoke --url http://127.0.0.1:9 --tool a --action b');
      expect(opened).toEqual(['fetch']);
    } finally {
      world.dispose();
    }
  });
});
