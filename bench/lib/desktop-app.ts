/** Starts a measured app in Electron, waits for its output, and sends it commands. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pause, pssKiB } from './measure.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const childFile = fileURLToPath(new URL('../children/desktop-app.mjs', import.meta.url));

export interface AppOptions {
  readonly kennel: boolean;
  readonly hidden?: boolean;
  /** Kennel's data folder; absent: a fresh one. */
  readonly home?: string;
  readonly rows?: unknown;
}

export interface MeasuredApp {
  /** ms from the spawn to this output line. */
  until(word: 'tray' | 'painted'): Promise<number>;
  tell(order: { readonly do: string; readonly code?: string }): Promise<unknown>;
  /** Sum over all processes of the app. */
  memoryKiB(): number;
  end(): Promise<void>;
}

function starter(folder: string): string {
  const app = path.join(folder, 'app');
  mkdirSync(app, { recursive: true });
  writeFileSync(
    path.join(app, 'package.json'),
    '{ "name": "measured", "version": "1.0.0", "type": "module", "main": "main.mjs" }',
  );
  writeFileSync(path.join(app, 'main.mjs'), `import ${JSON.stringify(childFile)};\n`);
  return app;
}

function tree(pid: number): number[] {
  const parents = readdirSync('/proc').flatMap((name) => {
    const id = Number(name);
    if (!(id > 0)) return [];
    try {
      const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
      return [[id, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const];
    } catch {
      return [];
    }
  });
  const found = [pid];
  for (const at of found) for (const [id, parent] of parents) if (parent === at) found.push(id);
  return found;
}

function listen(child: ChildProcess) {
  const said: { readonly line: string; readonly at: number }[] = [];
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) said.push({ line, at: performance.now() });
  });
  /** The first matching line, after `skipped` other matching lines. */
  return async (fits: (line: string) => boolean, skipped = 0): Promise<{ line: string; at: number }> => {
    for (let i = 0; i < 12_000; i += 1) {
      const found = said.filter(({ line }) => fits(line))[skipped];
      if (found) return found;
      if (child.exitCode !== null) break;
      await pause(5);
    }
    throw new Error('the measured app did not say what was waited for');
  };
}

export function startApp(electron: string, options: AppOptions): MeasuredApp {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kennel-bench-'));
  const args = [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    `--user-data-dir=${path.join(folder, 'profile')}`,
    starter(folder),
    ...(options.hidden ? ['--hidden'] : []),
  ];
  const begun = performance.now();
  const child = spawn(electron, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      ...process.env,
      KENNEL_HOME: options.home ?? path.join(folder, 'home'),
      KENNEL_WINDOW_GRACE_MS: '300',
      BENCH_KENNEL: options.kennel ? path.join(root, 'dist-e2e/main/index.js') : '',
      BENCH_ICON: path.join(root, 'resources/icons/tray/idle.png'),
      BENCH_ROWS: JSON.stringify(options.rows ?? null),
    },
  });
  const heard = listen(child);
  let answered = 0;
  return {
    until: async (word) => (await heard((line) => line === word)).at - begun,
    async tell(order) {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      const isAnswer = (line: string): boolean => /^(done|failed) /.test(line);
      const { line } = await heard(isAnswer, answered);
      answered += 1;
      if (line.startsWith('failed')) throw new Error(line);
      return JSON.parse(line.slice('done '.length)) as unknown;
    },
    memoryKiB: () => tree(child.pid ?? 0).reduce((sum, pid) => sum + pssKiB(pid), 0),
    async end() {
      const pids = tree(child.pid ?? 0);
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await Promise.race([gone, pause(12_000)]);
      for (const pid of pids) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // The process has ended already.
        }
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
