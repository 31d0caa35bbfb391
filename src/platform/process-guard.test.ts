import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { processStart } from './process-tree.ts';

const program = `
const { createStepProcesses } = await import('${new URL('../services/workflows/step-processes.ts', import.meta.url).href}');
const exec = createStepProcesses('/bin/sh').of(
  { run: 'r1', spawned() {} },
  { cwd: process.cwd(), env: { PATH: process.env.PATH }, maxBytes: 1000 },
);
const line = "setsid sh -c 'echo $$ > away; exec sleep 60' & echo $$ > pid; exec sleep 60";
for await (const _ of exec.start({ command: { kind: 'shell', line }, stdin: null }, new AbortController().signal));
`;

describe('Process guard', () => {
  it('F1: kills running step processes, including detached ones, when the engine is killed', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'kennel-guard-'));
    const written = (name: string): boolean => {
      const place = path.join(folder, name);
      return existsSync(place) && readFileSync(place, 'utf8') !== '';
    };
    const pidOf = (name: string): number => Number(readFileSync(path.join(folder, name), 'utf8'));
    const until = async (holds: () => boolean): Promise<void> => {
      for (let tries = 0; tries < 1_000 && !holds(); tries += 1)
        await new Promise((go) => setTimeout(go, 10));
      expect(holds()).toBe(true);
    };
    const engine = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
    try {
      await until(() => written('pid') && written('away'));
      expect(processStart(pidOf('away'))).not.toBe('');
      engine.kill('SIGKILL');
      await until(() => processStart(pidOf('pid')) === '' && processStart(pidOf('away')) === '');
    } finally {
      engine.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  }, 20_000);
});
