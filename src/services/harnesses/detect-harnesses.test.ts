import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import type { HarnessId } from '../../contract/harnesses.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import { createProcessPort } from '../executors/process.ts';
import { detectHarness } from './detect-harnesses.ts';

let home = '';

eachTestInFolder('kennel-harness-', (made) => {
  home = made;
});

function install(name: string, script: string): void {
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(home, 'bin', name), 0o755);
}

const look = (
  env: Record<string, string> = {},
  platform: NodeJS.Platform = 'linux',
  id: HarnessId = 'claude-code',
) =>
  detectHarness(
    {
      process: createProcessPort({ clock: createSystemClock() }),
      path: `${join(home, 'bin')}:/usr/bin:/bin`,
      env,
      userHome: home,
      platform,
    },
    id,
  );

describe('Detection of command line agents', () => {
  it('names a missing program, and how to install it', async () => {
    expect(await look()).toMatchObject({
      program: null,
      version: null,
      login: 'unknown',
      installCommand: 'npm install -g @anthropic-ai/claude-code',
    });
  });

  it('reads the version out of what the program prints', async () => {
    install('claude', 'echo "2.1.330 (Claude Code)"');
    expect(await look()).toMatchObject({ program: join(home, 'bin/claude'), version: '2.1.330' });
  });

  it('reports a program whose version cannot be read, and never what it printed', async () => {
    install('claude', 'echo "sk-secret 2.1.330"; exit 3');
    const found = await look();
    expect(found).toMatchObject({ program: join(home, 'bin/claude'), version: null });
    expect(JSON.stringify(found)).not.toContain('sk-secret');
  });

  it('takes a login file or a key variable as a login, without reading either', async () => {
    install('claude', 'echo 2.1.330');
    expect((await look()).login).toBe('no');
    expect((await look({}, 'darwin')).login).toBe('unknown');
    expect((await look({ ANTHROPIC_API_KEY: 'sk-secret' })).login).toBe('yes');
    mkdirSync(join(home, '.claude'));
    writeFileSync(join(home, '.claude/.credentials.json'), '{"token":"sk-secret"}');
    const found = await look();
    expect(found.login).toBe('yes');
    expect(JSON.stringify(found)).not.toContain('sk-secret');
  });

  it('runs the program without the environment of the host', async () => {
    install('claude', 'echo "${ANTHROPIC_API_KEY:-1.0.0}"');
    expect((await look({ ANTHROPIC_API_KEY: '9.9.9' })).version).toBe('1.0.0');
  });

  it('finds a library of npm beside its programs, which the Node.js on the PATH runs', async () => {
    const folder = join(home, 'lib/node_modules/@anthropic-ai/claude-agent-sdk');
    const lookForSdk = () => look({}, 'linux', 'claude-agent-sdk');
    install('node', '');
    expect((await lookForSdk()).program).toBeNull();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"main":"sdk.mjs","version":"0.3.318"}');
    expect(await lookForSdk()).toMatchObject({
      program: join(folder, 'sdk.mjs'),
      entry: join(home, 'bin/node'),
      version: '0.3.318',
    });
  });
});
