/**
 * The desktop app against an empty app of the same Electron: launch, memory, memory freed by closing the
 * window, and round trips from page to host. Needs the test runtime and an X server of its own.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AppOptions, type MeasuredApp, startApp } from '../lib/desktop-app.ts';
import { type BenchRow, median, pause, report, temporaryHome } from '../lib/measure.ts';

const script = (name: string): string => fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url));
const rounds = Number(process.env.KENNEL_BENCH_ROUNDS ?? 9);
const memoryRounds = 3;
const settleMs = 6_000;
const calls = 400;

async function withApp<T>(
  electron: string,
  options: AppOptions,
  use: (app: MeasuredApp) => Promise<T>,
): Promise<T> {
  const app = startApp(electron, options);
  try {
    return await use(app);
  } finally {
    await app.end();
  }
}

async function launches(electron: string) {
  const found = { emptyTray: [], tray: [], emptyPainted: [], painted: [] } as Record<string, number[]>;
  // The first start of each reads its files from disk and is not counted.
  for (let round = -1; round < rounds; round += 1) {
    for (const kennel of [false, true]) {
      await withApp(electron, { kennel }, async (app) => {
        const [tray, painted] = [await app.until('tray'), await app.until('painted')];
        if (round < 0) return;
        found[kennel ? 'tray' : 'emptyTray']?.push(tray);
        found[kennel ? 'painted' : 'emptyPainted']?.push(painted);
      });
    }
  }
  return found;
}

async function memories(electron: string) {
  const found = { emptyTray: [], tray: [], emptyFreed: [], freed: [] } as Record<string, number[]>;
  for (let round = 0; round < memoryRounds; round += 1) {
    for (const kennel of [false, true]) {
      await withApp(electron, { kennel, hidden: true }, async (app) => {
        await app.until('tray');
        await pause(settleMs);
        found[kennel ? 'tray' : 'emptyTray']?.push(app.memoryKiB());
      });
      await withApp(electron, { kennel }, async (app) => {
        await app.until('painted');
        await pause(settleMs);
        const open = app.memoryKiB();
        await app.tell({ do: 'close' });
        await pause(settleMs);
        found[kennel ? 'freed' : 'emptyFreed']?.push(open - app.memoryKiB());
      });
    }
  }
  return found;
}

function scaffold(home: string, agents: number): void {
  for (let i = 0; i < agents; i += 1) {
    const folder = path.join(home, 'agents', `agent-${i}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(folder, 'agent.yml'),
      `id: agent-${i}\nstate: paused\ndisplay_name: Agent ${i}\n`,
    );
    writeFileSync(path.join(folder, 'profile.md'), '# Soul\n\nBe kind.\n');
  }
}

/** ms per round trip in the page, after the same number of uncounted ones. */
const timed = (ask: string): string => `(async () => {
  ${ask}
  for (let i = 0; i < ${calls}; i += 1) await ask();
  const begun = performance.now();
  for (let i = 0; i < ${calls}; i += 1) await ask();
  return (performance.now() - begun) / ${calls};
})()`;
const overBridge = timed(
  "const ask = async () => JSON.parse(JSON.parse(await window.kennel.call('desktop.takeScreen', {})).value.screen);",
);
const overPort = timed(`const port = await new Promise((resolve) => {
    if (window.benchPort) return resolve(window.benchPort);
    window.addEventListener('message', ({ data, ports }) => data === 'port' && resolve(ports[0]));
    window.postMessage('want port', '*');
  });
  window.benchPort = port;
  const ask = () => new Promise((resolve) => {
    port.onmessage = ({ data }) => resolve(data);
    port.postMessage({ method: 'agents.list', input: {} });
  });`);

/**
 * The same hundred agents over our bridge and over a bare port. Both return a constant, so that the transport
 * is measured and not the host's work for its answer.
 */
async function roundTrips(electron: string) {
  const home = temporaryHome();
  scaffold(home, 100);
  const bridge: number[] = [];
  const port: number[] = [];
  let rows: unknown = null;
  await withApp(electron, { kennel: true, home }, async (app) => {
    await app.until('painted');
    await pause(settleMs);
    rows = await app.tell({ do: 'evaluate', code: "window.kennel.call('agents.list', {}).then(JSON.parse)" });
    const keep = `window.kennel.call('desktop.keepScreen', { screen: JSON.stringify(${JSON.stringify(rows)}) })`;
    await app.tell({ do: 'evaluate', code: keep });
    for (let i = 0; i < 5; i += 1) bridge.push(Number(await app.tell({ do: 'evaluate', code: overBridge })));
  });
  await withApp(electron, { kennel: false, rows }, async (app) => {
    await app.until('painted');
    await pause(settleMs);
    for (let i = 0; i < 5; i += 1) port.push(Number(await app.tell({ do: 'evaluate', code: overPort })));
  });
  rmSync(home, { recursive: true, force: true });
  const { length } = (rows as { value?: { agents?: unknown[] } } | null)?.value?.agents ?? [];
  return { bridge, port, length };
}

type Figures = Readonly<Record<string, number>>;
const lower = (name: string, ratio: number, goal: number, figures: Figures): BenchRow => ({
  name,
  ratio,
  goal,
  better: 'lower',
  figures,
});

async function measure(electron: string): Promise<BenchRow[]> {
  const launch = await launches(electron);
  const memory = await memories(electron);
  const trips = await roundTrips(electron);
  const of = (values: readonly number[] | undefined): number => median(values ?? []);
  const [tray, emptyTray] = [of(launch.tray), of(launch.emptyTray)];
  const [painted, emptyPainted] = [of(launch.painted), of(launch.emptyPainted)];
  const [atRest, emptyAtRest] = [of(memory.tray), of(memory.emptyTray)];
  const [freed, emptyFreed] = [of(memory.freed), of(memory.emptyFreed)];
  const [bridge, port] = [of(trips.bridge), of(trips.port)];
  return [
    lower('launch to tray / empty app', tray / emptyTray, 1.3, { ms: tray, emptyMs: emptyTray, rounds }),
    lower('launch to painted window / empty app', painted / emptyPainted, 1.8, {
      ms: painted,
      emptyMs: emptyPainted,
      rounds,
    }),
    lower('memory with only the tray / empty app', atRest / emptyAtRest, 1.25, {
      kiB: atRest,
      emptyKiB: emptyAtRest,
    }),
    {
      ...lower('memory a closed window frees / empty app', freed / emptyFreed, 0.95, {
        kiB: freed,
        emptyKiB: emptyFreed,
      }),
      better: 'higher',
    },
    lower('call that answers 100 rows / bare MessagePort', bridge / port, 1.5, {
      ms: bridge,
      bareMs: port,
      rows: trips.length,
    }),
  ];
}

function inDesktop(): number {
  const build = spawnSync(process.execPath, [script('build.mjs'), '--e2e'], {
    stdio: ['ignore', 2, 'inherit'],
  });
  const runtime = spawnSync('bash', [script('electron-runtime.sh')], { encoding: 'utf8' });
  if (build.status !== 0 || runtime.status !== 0) {
    process.stderr.write(`  not measured: ${runtime.stderr.trim() || 'the build failed'}\n`);
    report([]);
    return 0;
  }
  const env = { ...process.env, KENNEL_BENCH_ELECTRON: path.join(runtime.stdout.trim(), 'electron') };
  const args = [script('desktop-session.sh'), process.execPath, fileURLToPath(import.meta.url)];
  return spawnSync('bash', args, { env, stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1;
}

const electron = process.env.KENNEL_BENCH_ELECTRON;
if (electron) report(await measure(electron));
else process.exitCode = inDesktop();
