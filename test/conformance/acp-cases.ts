/** Cases of every program but Claude Code, run as the host starts it: in its wall, by its relay. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Tool } from '../../src/core/tools/tool.ts';
import { countingTool } from '../fakes/runtime-rig.ts';
import type { AcpFeature, AcpProgram, AcpWorld } from './acp-world.ts';
import { holdsText, realKey } from './claude-wall.ts';
import { isDone, isFailed } from './claude-world.ts';

export interface AcpCase {
  readonly name: string;
  run(world: AcpWorld, program: AcpProgram): Promise<boolean>;
  /** For programs that ask, or for those that never do; for all if absent. */
  readonly asks?: boolean;
  readonly needs?: 'permissive';
  /** Reported as not offered for programs that lack it. */
  readonly feature?: AcpFeature;
  readonly isDenied?: true;
  /** Part of `npm test`. */
  readonly isQuick?: true;
  readonly noise?: readonly string[];
  /** Tools of the host. */
  readonly tools?: readonly Tool[];
}

const inWorkspace = ({ rig }: AcpWorld, name: string): string => path.join(rig.workspace, name);

/** Starts a turn whose answer stays open, and does something once its text arrives. */
const during = ({ turn }: AcpWorld, act: () => void) =>
  turn('HOLD', ({ type }) => {
    if (type === 'text_delta') act();
  });

/** Names the command in the list of processes. */
const sleepSeconds = '271.25';

const isSleeping = (): boolean =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => commandLine(pid) === `sleep\0${sleepSeconds}\0`);

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

const featureNames = {
  rewrite: 'rewritten input',
  steer: 'steer: a message during a turn changes it',
  subAgents: 'asks for the actions of a sub-agent',
} as const;

/** A tool of the host, with a result of its own for each case. */
const hostTool = () => countingTool('send_message', { group: 'puffo', foreign: false });
const sent = hostTool();
const notSent = hostTool();

export const acpCases: readonly AcpCase[] = [
  {
    name: 'starts, streams and answers',
    isQuick: true,
    async run({ turn }) {
      let streamed = '';
      const end = await turn('hi', (event) => {
        if (event.type === 'text_delta') streamed += event.text;
      });
      return isDone(end, 'hello') && streamed === 'hello';
    },
  },
  {
    name: 'reaches the model through the relay, which alone knows the key of the provider (T18)',
    isQuick: true,
    async run({ turn, own }) {
      return isDone(await turn('hi'), 'hello') && !holdsText(own, realKey);
    },
  },
  {
    name: 'asks before a command that writes, with its text',
    asks: true,
    async run(world, { calls }) {
      const end = await world.turn(calls.shell('touch made.txt'));
      const [asked] = world.rig.checked;
      const isAsked = asked?.tool === 'shell' && asked.args.cmd === 'touch made.txt';
      return isDone(end, 'after the tool') && isAsked && existsSync(inWorkspace(world, 'made.txt'));
    },
  },
  {
    name: 'asks before a write, and shows it as a difference',
    isQuick: true,
    asks: true,
    async run(world, { calls }) {
      await world.turn(calls.write(inWorkspace(world, 'a.txt'), 'x\n'));
      const asked = world.rig.checked.find(({ tool }) => tool === 'write_file');
      return asked?.assessment.preview.body.includes('+x') === true && world.rig.files().includes('a.txt');
    },
  },
  {
    name: 'asks before an edit, and shows it as a difference',
    asks: true,
    async run(world, { calls }) {
      const file = inWorkspace(world, 'a.txt');
      writeFileSync(file, 'one\ntwo\n');
      if (calls.read) await world.turn(calls.read(file));
      await world.turn(calls.edit(file, 'two', 'three'));
      const asked = world.rig.checked.find(({ tool }) => tool === 'edit_file');
      return (
        asked?.assessment.preview.body.includes('+three') === true &&
        readFileSync(file, 'utf8') === 'one\nthree\n'
      );
    },
  },
  {
    name: 'does not do what was denied',
    isQuick: true,
    asks: true,
    isDenied: true,
    async run(world, { calls }) {
      await world.turn(calls.write(inWorkspace(world, 'a.txt'), 'x'));
      await world.turn(calls.shell('touch b.txt'));
      const wasDone = ['a.txt', 'b.txt'].some((name) => existsSync(inWorkspace(world, name)));
      return world.rig.checked.length === 2 && !wasDone;
    },
  },
  {
    name: 'asks although a file of the workspace allows everything',
    asks: true,
    isDenied: true,
    needs: 'permissive',
    async run(world, { calls, permissive }) {
      const file = inWorkspace(world, permissive?.file ?? '');
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, permissive?.text ?? '');
      await world.turn(calls.shell('touch b.txt'));
      return world.rig.checked.length === 1 && !existsSync(inWorkspace(world, 'b.txt'));
    },
  },
  {
    name: 'runs tools without asking, and each is recorded',
    isQuick: true,
    asks: false,
    async run(world, { calls }) {
      const steps = new Set<string>();
      await world.turn(calls.shell('echo one > made.txt'), (event) => {
        if (event.type === 'step' && event.step.state === 'done') steps.add(event.step.tool);
      });
      const file = inWorkspace(world, 'made.txt');
      await world.turn(calls.edit(file, 'one', 'two'));
      return world.rig.checked.length === 0 && steps.has('shell') && readFileSync(file, 'utf8') === 'two\n';
    },
  },
  {
    name: 'cannot write outside of its folders (T14)',
    async run(world, { calls }) {
      const beside = path.join(world.wall.outside, 'made.txt');
      const own = path.join(world.rig.home, 'made.txt');
      await world.turn(calls.shell(`echo x > ${beside}; echo x > ${own}; touch inside.txt`));
      const isHeld = ![beside, own].some((file) => existsSync(file));
      return isHeld && existsSync(inWorkspace(world, 'inside.txt'));
    },
  },
  {
    name: 'is interrupted, and goes on in the same process',
    isQuick: true,
    async run(world) {
      const end = await during(world, () => world.rig.abort('stopped'));
      const isStopped = isFailed(end, 'cancelled');
      return isStopped && isDone(await world.turn('hi'), 'hello') && world.processes.length === 1;
    },
  },
  {
    name: 'leaves no command of a stopped turn running',
    async run({ turn, rig }, { calls }) {
      const looking = setInterval(() => {
        if (isSleeping()) rig.abort('stopped');
      }, 50);
      const end = await turn(calls.shell(`sleep ${sleepSeconds}`)).finally(() => clearInterval(looking));
      const isStopped = isFailed(end, 'cancelled');
      for (let round = 0; round < 20 && isSleeping(); round += 1) await pause(100);
      return isStopped && !isSleeping();
    },
  },
  {
    name: 'resumes its session in a new process',
    async run({ turn, rig, asked, processes, resumable }) {
      await turn('my first words');
      rig.restart();
      await resumable();
      const isAnswered = isDone(await turn('again'), 'hello');
      return isAnswered && processes.length === 2 && !asked().join('').includes('conversation so far');
    },
  },
  {
    name: 'goes on after a SIGKILL in mid-turn, in its session (F2)',
    async run(world) {
      await world.turn('hi');
      await world.resumable();
      let kills = 0;
      const end = await during(world, () => {
        kills += 1;
        if (kills === 1) world.processes.at(-1)?.signal('SIGKILL');
        else world.rig.abort('stopped');
      });
      const isResumed = isFailed(end, 'cancelled') && world.processes.length === 2;
      const wasTold = world.asked().join('').includes('conversation so far');
      return isResumed && !wasTold && isDone(await world.turn('again'), 'hello');
    },
  },
  {
    name: 'survives the loss of its session',
    async run({ turn, rig, own, asked }) {
      await turn('hi');
      rig.restart();
      await pause(1_500);
      rmSync(own, { recursive: true });
      return isDone(await turn('again'), 'hello') && asked().join('').includes('conversation so far');
    },
  },
  {
    name: 'MCP tool: calls a tool of the host, which asks, and its result reaches the model',
    isQuick: true,
    feature: 'hostTools',
    tools: [sent],
    async run({ turn, rig, asked }, { calls }) {
      sent.done.length = 0;
      const end = await turn(calls.host?.('send_message', { path: 'to-ada' }) ?? '');
      const isAsked = rig.checked.map(({ tool }) => tool).join() === 'send_message';
      const isTold = asked().join('').includes('wrote to-ada');
      return isDone(end, 'after the tool') && isAsked && isTold && sent.done.length === 1;
    },
  },
  {
    name: 'MCP tool: a denied call of a tool of the host does not run, and taints no later call',
    feature: 'hostTools',
    isDenied: true,
    tools: [notSent],
    async run({ turn, rig }, { calls }) {
      notSent.done.length = 0;
      await turn(calls.host?.('send_message', { path: 'x' }) ?? '');
      await turn(calls.host?.('send_message', { path: 'y' }) ?? '');
      const [, second] = rig.checked;
      return notSent.done.length === 0 && rig.checked.length === 2 && second?.tainted === false;
    },
  },
  ...(['rewrite', 'steer', 'subAgents'] as const).map((feature) => ({
    name: featureNames[feature],
    feature,
    // Each program lacks it today; one that does not needs a case.
    run: async () => false,
  })),
  {
    name: 'quota: is parked without a process while the provider accepts no request (F11)',
    async run({ turn, rig, processes }) {
      let isParked = false;
      const end = await turn('PAUSE', (event) => {
        if (event.type !== 'retrying' || event.error.code !== 'rate_limited') return;
        isParked = true;
        rig.abort('stopped');
      });
      if (!isParked || !isFailed(end, 'cancelled')) return false;
      await Promise.all(processes.map(({ exited }) => exited));
      return true;
    },
  },
  {
    name: 'reports a refused request',
    async run({ turn }) {
      const end = await turn('STATUS 400');
      return isFailed(end, 'model_error');
    },
  },
  {
    name: 'reports a refused key',
    async run({ turn }) {
      const end = await turn('STATUS 401');
      return isFailed(end, 'unauthenticated') || isFailed(end, 'model_error');
    },
  },
  {
    name: 'answers between lines that are no messages',
    noise: ['npm warn something', '{"jsonrpc":"2.0","method":', '[1]', '{"method":"session/update"}'],
    async run({ turn }) {
      return isDone(await turn('hi'), 'hello');
    },
  },
];
