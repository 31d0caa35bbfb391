/** Cases of Claude Code as the host starts it: inside a wall, with a model only through the relay (T14, T18). */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { textError } from '../../src/contract/errors.ts';
import { err, ok } from '../../src/contract/result.ts';
import type { SpendGate } from '../../src/core/models/spend-gate.ts';
import { isExecutable } from '../../src/platform/find-program.ts';
import { createFreeSpend } from '../fakes/free-spend.ts';
import { lastUserText } from '../fakes/messages-server.ts';
import { type ClaudeWall, createClaudeWall, holdsText, realKey } from './claude-wall.ts';
import { type ClaudeWorld, isDone, withClaude } from './claude-world.ts';
import type { HarnessCase } from './harness-suite.ts';

interface WalledWorld extends ClaudeWorld {
  readonly wall: ClaudeWall;
  readonly budget: { requestsLeft: number; refused: number };
  /** Runs a command line inside the wall and returns what the model was told of it. */
  shell(command: string): Promise<string>;
}

const cases: readonly (readonly [name: string, run: (world: WalledWorld) => Promise<boolean>])[] = [
  [
    'in the wall: answers through the relay, which alone knows the key of the provider (T18)',
    async ({ turn, server }) =>
      isDone(await turn('hi'), 'hello') && server.asked.every(({ key }) => key === realKey),
  ],
  [
    'in the wall: runs a command in the workspace',
    async ({ shell, rig }) =>
      (await shell('pwd; echo x > made.txt')).includes(rig.workspace) && rig.files().includes('made.txt'),
  ],
  [
    'in the wall: edits a file of the workspace',
    async ({ turn, rig, shell }) => {
      const file = path.join(rig.workspace, 'a.txt');
      await shell('echo one > a.txt');
      await turn(`TOOL Read {"file_path":"${file}"} END`);
      await turn(`TOOL Edit {"file_path":"${file}","old_string":"one","new_string":"two"} END`);
      return readFileSync(file, 'utf8') === 'two\n';
    },
  ],
  [
    'in the wall: cannot write outside of its folders (T14)',
    async ({ shell, rig, wall }) => {
      const [beside, own] = [path.join(wall.outside, 'made.txt'), path.join(rig.home, 'made.txt')];
      await shell(`echo x > ${beside}; echo x > ${own}; echo runtime > ${rig.home}/agent.yml`);
      const agentFile = readFileSync(path.join(rig.home, 'agent.yml'), 'utf8');
      return ![beside, own].some((file) => existsSync(file)) && agentFile === 'runtime: {}\n';
    },
  ],
  [
    "in the wall: reads neither the operator's files nor the keys of the agent (T14)",
    async ({ shell, rig, wall }) => {
      const told = await shell(
        `cat ${wall.outside}/secret.txt ${rig.home}/keys/identity.json ${rig.home}/agent.yml; echo read`,
      );
      return told.includes('read') && !/private note|identity key|runtime:/.test(told);
    },
  ],
  [
    'in the wall: finds no key of the provider in an environment or a file (T18)',
    async ({ shell, rig }) => {
      const told = await shell(
        'cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr "\\\\0" "\\\\n"; env; echo read',
      );
      return (
        told.includes('read') &&
        told.includes('ANTHROPIC_BASE_URL') &&
        !told.includes(realKey) &&
        !holdsText(path.join(rig.home, 'harness'), realKey)
      );
    },
  ],
  [
    'in the wall: has no network but the relay (T14)',
    async ({ shell, wall }) => {
      const tries = [`127.0.0.1/${wall.openPort}`, '1.1.1.1/53'].map(
        (to) => `(exec 3<>/dev/tcp/${to}) 2>/dev/null && echo OPENED`,
      );
      const relay = `(exec 3<>/dev/tcp/127.0.0.1/\${ANTHROPIC_BASE_URL##*:}) && echo RELAY`;
      // The program uses the shell of the computer, and only bash opens connections by this path.
      const told = await shell(`bash -c '${[...tries, relay].join('; ')}'`);
      return told.includes('RELAY') && !told.includes('OPENED');
    },
  ],
  [
    'in the wall: Undo brings back what a command changed',
    async ({ shell, rig }) => {
      await shell('echo one > a.txt');
      await shell('rm a.txt; mkdir new; echo two > new/b.txt');
      const points = rig.undo.ofTurn('turn_2');
      const reverted = await rig.undo.revert(points);
      return points.length === 1 && reverted.ok && rig.files().join() === 'a.txt';
    },
  ],
  [
    "in the wall: a plan's limit parks the turn, which says until when and goes on (F11)",
    async ({ turn, server }) => {
      let parked = '';
      const end = await turn('PAUSE', (event) => {
        if (event.type === 'retrying') parked = event.error.message;
      });
      return /^Parked until /.test(parked) && isDone(end, 'hello') && server.asked.length === 2;
    },
  ],
  [
    'in the wall: a budget that is used up in the middle ends the turn without a retry (T27)',
    async ({ turn, budget, server }) => {
      budget.requestsLeft = 1;
      const end = await turn('TOOL Bash {"command":"echo one"} END');
      const isClear = end?.type === 'turn_failed' && end.error.message === usedUp.message;
      const isStopped = budget.refused === 1 && server.asked.length === 1;
      budget.requestsLeft = 9;
      return isClear && isStopped && isDone(await turn('hi'), 'hello');
    },
  ],
];

const usedUp = textError('rate_limited', 'The budget of A is used up.');

const places = ['/usr/bin/bwrap', '/usr/local/bin/bwrap'];

export const wallCases = (program: string): readonly HarnessCase[] =>
  cases.map(([name, run], index) => ({
    name,
    // The first shows that wall and relay work.
    isQuick: index === 0,
    run: () => runWalled(program, run),
    skipped: places.some(isExecutable) ? null : 'bubblewrap is not installed',
  }));

async function runWalled(program: string, run: (world: WalledWorld) => Promise<boolean>): Promise<boolean> {
  let wall: ClaudeWall | null = null;
  const budget = { requestsLeft: 1_000, refused: 0 };
  try {
    return await withClaude(
      async ({ url }) => {
        wall = await createClaudeWall({ program, modelUrl: url });
        return { agent: wall.agent, spend: spendOf(budget) };
      },
      async (world) => {
        if (wall === null) return false;
        const shell = async (command: string): Promise<string> => {
          await world.turn(`TOOL Bash ${JSON.stringify({ command })} END`);
          const last = world.server.asked.at(-1);
          return last ? lastUserText(last) : '';
        };
        return run({ ...world, wall, budget, shell });
      },
    );
  } finally {
    await (wall as ClaudeWall | null)?.end();
  }
}

const spendOf = (budget: WalledWorld['budget']): SpendGate =>
  createFreeSpend({
    async reserve() {
      budget.requestsLeft -= 1;
      if (budget.requestsLeft >= 0) return ok({ release: () => undefined });
      budget.refused += 1;
      return err(usedUp);
    },
  });
