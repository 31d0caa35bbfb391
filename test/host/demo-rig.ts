import { spawn } from 'node:child_process';
import { afterEach, beforeEach } from 'vitest';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { newDemoHome, type newHome, startHost, type TestHost } from './host-rig.ts';

export interface DemoHost {
  readonly home: ReturnType<typeof newHome>;
  kennel: TestHost;
  /** Room of the direct messages with the agent "guide". */
  readonly guide: string;
  /** Starts the host anew, after a stop. */
  restart(): Promise<TestHost>;
}

/** Gives each test of the file or block a host of its own with the demo. */
export function eachTestWithDemo(use: (demo: DemoHost) => void): void {
  let demo: DemoHost;
  beforeEach(async () => {
    const home = await newDemoHome();
    const kennel = await startHost(home.home);
    await kennel.call('setup.tryDemo', {});
    demo = {
      home,
      kennel,
      guide: `dm:${(await kennel.call('agents.get', { agent: 'guide' })).slug}`,
      async restart() {
        demo.kennel = await startHost(home.home);
        return demo.kennel;
      },
    };
    use(demo);
  });
  afterEach(async () => {
    await demo.kennel.stop();
    demo.home.remove();
  });
}

/** Runs the command line in the data folder `home`, without the caller's environment. */
export function runKennel(
  home: string,
  args: readonly string[],
): Promise<{ code: number | null; out: string; err: string }> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: home, KENNEL_HOME: home };
  const child = spawn(process.execPath, [kennelEntry, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (piece) => (out += String(piece)));
  child.stderr.on('data', (piece) => (err += String(piece)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}
